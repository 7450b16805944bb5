"""The pages for people: which spaces there are, what one holds, one object."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from once_delivery.sandbox import clock
from once_delivery.sandbox.app import App
from once_delivery.sandbox.holdings import Line, lines
from once_delivery.sandbox.markup import Safe, fill, join
from once_delivery.sandbox.objects import KINDS, Stored
from once_delivery.sandbox.spaces import Space
from once_delivery.sandbox.words import Language, status_word, word

_MOST_LINES = 500
_MOST_CALLS = 200
_SHELL = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="/static/sandbox.css">
</head>
<body>
<a class="skip" href="#main">{skip}</a>
<header class="top"><a class="mark" href="/?lang={language}">{disc}<b>ONCE</b><span>{product}</span></a>
<a class="end" href="?lang={other}" lang="{other}">{other_language}</a></header>
<main id="main" tabindex="-1">{main}
<p class="notice">{notice}</p></main>
</body>
</html>
"""
_ONE = Safe(
    '<svg viewBox="0 0 28 20" aria-hidden="true"><circle class="disc" cx="10" cy="10" r="8"/>'
    '<path class="ghost" d="M15.5 2.6a8 8 0 1 1 0 14.8"/></svg>'
)
_TWO = Safe(
    '<svg viewBox="0 0 28 20" aria-hidden="true"><circle class="disc" cx="8" cy="10" r="6.5"/>'
    '<circle class="disc" cx="21" cy="10" r="6.5"/></svg>'
)
_NONE = Safe(
    '<svg viewBox="0 0 28 20" aria-hidden="true"><circle class="ghost" cx="10" cy="10" r="7.25"/></svg>'
)


@dataclass(frozen=True, slots=True)
class Pages:
    """All pages in one language."""

    app: App
    language: Language

    def spaces(self) -> str:
        """Which spaces there are."""
        counts = self.app.objects.counts()
        rows = join(self._space_row(space, counts.get(space.name, {})) for space in self.app.spaces.listing())
        if not rows:
            empty = '<h1>{a}</h1><p class="soft">{b}</p>'
            return self._shell(fill(empty, a=self._say("no_spaces"), b=self._say("no_spaces_next")))
        head = self._heads("space", *KINDS, "create_calls", numbers=(*KINDS, "create_calls"))
        title = fill("<h1>{title}</h1>", title=self._say("spaces_head", n=len(self.app.spaces.listing())))
        return self._shell(join([title, _panel(None, _table(head, rows, self._say("space")))]))

    def _space_row(self, space: Space, counts: dict[str, int]) -> Safe:
        figures = {**{kind: counts.get(kind, 0) for kind in KINDS}, "create_calls": space.create_calls}
        numbers = join(self._cell(name, n, tone="num") for name, n in figures.items())
        row = '<tr><th scope="row"><a href="/spaces/{name}/?lang={language}">{name}</a></th>{numbers}</tr>'
        return fill(row, name=space.name, language=self.language, numbers=numbers)

    def space(self, space: Space) -> str:
        """What one space holds, counted, and how it came about."""
        everything = self.app.objects.everything(space.name)
        present = [one for one in everything if one.deleted_at is None]
        grouped = lines(present)
        doubled = sum(line.count > 1 for of_kind in grouped.values() for line in of_kind)
        counts = {kind: sum(line.count for line in grouped[kind]) for kind in KINDS}
        sentence = self._say("twice_head" if doubled else "once_head", n=doubled, **counts)
        if not present:
            sentence = self._say("empty_space")
        parts = [
            fill('<p class="crumb mono">{name}</p><h1 class="{tone}">{sentence}</h1><p class="soft">{what}</p>',
                 name=space.name, tone="is-two" if doubled else "", sentence=sentence, what=self._say("counts_what")),
            *(self._kind(kind, grouped[kind]) for kind in KINDS if grouped[kind]),
            self._log(space, deleted=len(everything) - len(present)),
        ]  # fmt: skip
        return self._shell(join(parts), title=space.name)

    def _kind(self, kind: str, of_kind: list[Line]) -> Safe:
        head = self._heads("product", "locale", "name", "marker", "count", "ids", "created")
        rows = join(self._line(line) for line in of_kind[:_MOST_LINES])
        foot = None
        if len(of_kind) > _MOST_LINES:
            foot = self._say("shown_of", shown=_MOST_LINES, n=len(of_kind))
        return _panel(self._say(kind), _table(head, rows, self._say(kind)), foot=foot)

    def _line(self, line: Line) -> Safe:
        product, locale = line.place
        marker = fill('<code class="break">{m}</code>', m=line.marker)
        if line.marker is None:
            marker = fill('<span class="quiet">{none}</span>', none=self._say("no_marker"))
        cells = [
            self._cell("locale", locale or "–", tone="mono"),
            self._cell("name", fill('<span dir="auto">{title}</span>', title=line.title or "–"), tone="wide"),
            self._cell("marker", marker),
            self._cell("count", self._once(line.count)),
            self._cell("ids", join((self._id(one) for one in line.objects), between=" ")),
            self._cell(
                "created", join(fill("<div>{at}</div>", at=_time(one.created_at)) for one in line.objects)
            ),
        ]
        tone = "is-two" if line.count > 1 else ""
        row = '<tr class="{tone}"><th scope="row">{product}</th>{cells}</tr>'
        return fill(row, tone=tone, product=product or "–", cells=join(cells))

    def _once(self, count: int) -> Safe:
        mark, tone = (_ONE, "") if count == 1 else (_TWO, "once--two") if count else (_NONE, "once--none")
        text = self._say("objects_1") if count == 1 else self._say("objects_n", n=count)
        return fill('<span class="once {tone}">{mark}{text}</span>', tone=tone, mark=mark, text=text)

    def _id(self, one: Stored) -> Safe:
        by_hand = f" · {self._say('by_hand')}" if one.made_by == "hand" else ""
        return fill(
            '<div><a class="mono {struck}" href="/spaces/{space}/view/{kind}/{id}?lang={language}">{id}</a> '
            '<span class="quiet">{status}{by_hand}</span></div>',
            struck="struck" if one.status == "trash" else "",
            space=one.space, kind=one.kind, id=one.id, language=self.language,
            status=status_word(self.language, one.status), by_hand=by_hand,
        )  # fmt: skip

    def _log(self, space: Space, *, deleted: int) -> Safe:
        calls = self.app.calls.of_space(space.name, operation="create")
        lost = sum(call["ended_at"] is not None and call["status"] is None for call in calls)
        what = self._say(
            "log_what",
            calls=len(calls),
            made=sum(call["created"] for call in calls),
            lost=lost,
            deleted=deleted,
        )
        if not calls:
            return _panel(
                self._say("log"), fill('<p class="pad quiet">{text}</p>', text=self._say("none_yet"))
            )
        rows = join(self._call(call) for call in reversed(calls[-_MOST_CALLS:]))
        head = self._heads("call", "arrived", "marker", "fault", "made", "answered", numbers=("answered",))
        return _panel(self._say("log"), _table(head, rows, self._say("log")), foot=what)

    def _call(self, call: dict[str, Any]) -> Safe:
        answered = call["status"] or self._say("no_answer" if call["ended_at"] else "pending")
        made = call["committed_id"] or self._say("nothing")
        if call["committed_id"] and not call["created"]:
            made = self._say("same", id=made)
        cells = [
            self._cell("arrived", call["started_at"][:23].replace("T", " "), tone="nowrap"),
            self._cell("marker", fill('<code class="break">{marker}</code>', marker=call["marker"] or "–")),
            self._cell("fault", " · ".join(filter(None, (call["fault"], call["variant"]))) or "–"),
            self._cell("made", made, tone="mono"),
            self._cell("answered", answered, tone="num"),
        ]
        row = '<tr><th scope="row"><span class="quiet">#{seq}</span> {method} {kind}</th>{cells}</tr>'
        return fill(row, seq=call["seq"], method=call["method"], kind=call["kind"], cells=join(cells))

    def _cell(self, name: str, value: object, *, tone: str = "") -> Safe:
        cell = '<td class="{tone}" data-label="{label}"><div>{value}</div></td>'
        return fill(cell, tone=tone, label=self._say(name), value=value)

    def one(self, space: Space, stored: Stored) -> str:
        """One object, its content shown as text and never run."""
        facts = [
            ("ids", stored.id), ("marker", stored.marker or self._say("no_marker")),
            ("status", status_word(self.language, stored.status)), ("version", stored.version),
            ("product", stored.doc.get("product") or "–"), ("locale", stored.doc.get("locale") or "–"),
            ("created", _time(stored.created_at)),
        ]  # fmt: skip
        rows = join(
            fill("<div><dt>{a}</dt><dd>{b}</dd></div>", a=self._say(name), b=value) for name, value in facts
        )
        doc = {name: value for name, value in stored.doc.items() if name not in ("title", "body")}
        title = stored.doc.get("title") or stored.doc.get("filename") or stored.id
        text = "\n\n".join(
            filter(None, (stored.doc.get("body"), json.dumps(doc, ensure_ascii=False, indent=1)))
        )
        main = fill(
            '<p class="crumb"><a class="mono" href="/spaces/{space}/?lang={language}">{space}</a></p>'
            '<h1 dir="auto">{title}</h1><dl class="facts">{rows}</dl>{source}',
            space=space.name, language=self.language, title=title, rows=rows,
            source=_panel(self._say("source"), fill('<pre dir="auto">{text}</pre>', text=text)),
        )  # fmt: skip
        return self._shell(main, title=str(title))

    def missing(self) -> str:
        """Nothing is here."""
        return self._shell(fill("<h1>{text}</h1>", text=self._say("not_found")))

    def _say(self, name: str, **values: object) -> str:
        return word(self.language, name, **values)

    def _heads(self, *names: str, numbers: tuple[str, ...] = ()) -> Safe:
        return join(
            fill(
                '<th scope="col" class="{tone}">{text}</th>',
                tone="num" if name in numbers else "",
                text=self._say(name),
            )
            for name in names
        )

    def _shell(self, main: Safe, *, title: str = "") -> str:
        other = "zh-Hans" if self.language == "en" else "en"
        return fill(
            _SHELL,
            language=self.language, other=other, other_language=self._say("other_language"), skip=self._say("skip"),
            title=f"{title} · {self._say('title')}" if title else self._say("title"),
            product=self._say("title"), disc=_ONE, main=main, notice=self._say("open_notice"),
        )  # fmt: skip


def _panel(title: str | None, body: Safe, *, foot: str | None = None) -> Safe:
    head = fill("<h2>{title}</h2>", title=title) if title else Safe()
    end = fill("<footer>{foot}</footer>", foot=foot) if foot else Safe()
    return fill('<section class="panel">{head}{body}{end}</section>', head=head, body=body, end=end)


def _table(head: Safe, rows: Safe, label: str) -> Safe:
    return fill(
        '<div class="scroll" tabindex="0" role="region" aria-label="{label}"><table class="blocks"><thead><tr>{head}</tr></thead>'
        "<tbody>{rows}</tbody></table></div>",
        head=head, rows=rows, label=label,
    )  # fmt: skip


def _time(seconds: float) -> str:
    return (clock.iso(seconds) or "")[:23].replace("T", " ")
