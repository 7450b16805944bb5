"""The words of a connection test: what each line asks, and what to do when it fails."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

Words = str | Promise

NAMES: dict[str, Words] = {
    "connection": _("Connection"),
    "account": _("Account"),
    "media-account": _("Account for files"),
    "credentials": _("Credentials"),
    "cannot-publish": _("The account cannot publish"),
    "look_up": _("Look-up by marker"),
    "sight": _("Sees everything"),
    "rights": _("May write"),
    "marker": _("Field of the marker"),
    "fields": _("Fields that are written"),
    "page-type": _("Page type"),
    "section": _("Section"),
    "plugin": _("Plug-in"),
    "locales": _("Languages"),
    "dates": _("Dates are kept"),
    "version": _("Version of the system"),
    "clock": _("Clock"),
    "site-url": _("Address of the site"),
    "bucket": _("Bucket"),
    "versions": _("Versions of the bucket"),
    "not-public": _("Not public"),
    "list": _("List"),
    "evidence": _("Evidence"),
}
KINDS: dict[str, Words] = {
    "create_draft": _("drafts"),
    "upload_file": _("files"),
    "start_job": _("generation jobs"),
}
_NETWORK = _(
    "The target was not reached. Check the address, the firewall and whether the system runs; then test again."
)
_NAME = _("The name of the address is not known. Check how it is spelt, and the name server of this machine.")
_TLS = _(
    "No secure connection came about. Check the certificate of the target, and that the address begins with https:// or http:// as the target has it."
)
_LOST = _(
    "The connection broke off, or the answer took too long. Test again; if it stays so, look at the load of the target and at proxies in between."
)
_ANSWER = _(
    "What answered does not speak as this kind of target does: a log-in page, a proxy or another system. Check the address and the declared paths."
)
_LIST = _(
    "Its list cannot be read as it should be. Check the version of the target, and caches or plug-ins that change its answers."
)
_FILTER = _(
    "The target ignores what is filtered by, so that a look-up would find everything. Check the declared field of the marker; a cache or a plug-in may take the filter away."
)
_MARKER = _(
    "The field of the marker is not there or not readable. Create it at the target as the kind's README says, and let the account read it."
)
_PUBLISH = _("This account could publish. Give it a role that may only write drafts; ONCE never needs more.")
_ACCOUNT = _(
    "The target does not accept these credentials. Check that they are current and complete, and set them again."
)
_RIGHTS = _("The account may not do this. Give it the right that is named, and no more; then test again.")
_PLUGIN = _(
    "Install the newest ONCE plug-in at the target, switch it on and finish its set-up; or choose the guard that works without it."
)
_CLOCK = _(
    "The clocks of this machine and of the target differ too much for signed requests. Set both by a time server."
)
_FIELDS = _(
    "The target has no writable field of these names and would leave the content out in silence. Create them there, or map them to others."
)
_DECLARE = _(
    "The declaration does not say how to read this. Add it to the declaration as the kind's README says."
)
_BUSY = _(
    "The target asks to be left alone for a while. Test again later; if it stays so, lower the requests a second."
)
_FAULT = _("The target itself is out of order. Test again later, and look at its own log.")

TODO: dict[str, Words] = {
    # the way there
    **dict.fromkeys(("connect-failed", "connect-refused", "connect-timeout", "closed", "reset-before-write"), _NETWORK),
    **dict.fromkeys(("dns-failed", "dns-timeout"), _NAME),
    **dict.fromkeys(("tls-failed", "tls-timeout"), _TLS),
    **dict.fromkeys(("reset", "deadline", "deadline-over", "truncated"), _LOST),
    "address-refused": _("The address leads inside this network, which is not allowed for this target. Use its public address, or allow inside addresses in its settings."),
    **dict.fromkeys(("bad-address", "bad-url", "bad-request"), _("The address is not usable. Write it as https://name/path, without a query and without a password.")),
    **dict.fromkeys(("bad-response", "bad-encoding", "html", "empty-body", "unreadable-json", "unreadable-xml", "no-api", "no-api-v3", "not-found", "body-too-large"), _ANSWER),
    "redirect": _("The target sends elsewhere. Use the address that it leads to; credentials are never sent on."),
    # who one is
    **dict.fromkeys(("unauthorized", "credential-missing", "credential-malformed", "key-unknown", "http-401"), _ACCOUNT),
    "token-expired": _CLOCK,
    "account-suspended": _("The account is suspended at the target. Let it in again, or set up another one."),
    "no-application-passwords": _("WordPress offers no application passwords: it has no TLS, a plug-in switches them off, or it is older than 5.6. Mend that, then make one for this account."),
    **dict.fromkeys(("forbidden", "http-403"), _RIGHTS),
    **dict.fromkeys(("rules-not-readable", "schema-not-readable"), _("The account may not read its own rules or the collection's fields, so that they cannot be checked. Let it read them, or check by hand that it cannot publish.")),
    "may-publish": _PUBLISH,
    "bucket-is-public": _("Anybody may read this bucket. Close it to the public: what nobody has accepted must not be seen."),
    # what it can do
    "filter-ignored": _FILTER,
    **dict.fromkeys(("marker-field-missing", "marker-unreadable", "no-marker-in-list"), _MARKER),
    "marker-not-unique": _("The field of the marker allows two of the same. Make it unique at the target, or choose the guard “look-up”."),
    "id-not-uuid": _("The collection counts its IDs itself. Use a collection whose key is a UUID, or declare that the ID is not ours."),
    "id-not-the-key": _("The collection's key is not “id”. Choose a collection whose key is."),
    "fields-not-writable": _FIELDS,
    **dict.fromkeys(("page-type-not-writable", "no-such-type"), _("The target has no such type, or the account may not write it. Check the declared name and the account's rights.")),
    "no-such-locale": _("The target does not have these languages. Add them there, or map the locales to those that it has."),
    **dict.fromkeys(("section-not-visible", "sees-only-part"), _("The account sees only a part, so that “not there” would prove nothing. Let it see all drafts of the section, others' too.")),
    "dates-not-kept": _("The target does not keep when something was changed. Switch these fields on, so that an audit can list changes alone."),
    **dict.fromkeys(("plugin-missing", "plugin-too-old", "plugin-not-ready"), _PLUGIN),
    **dict.fromkeys(("not-strapi-5", "strapi-4"), _("This is not Strapi 5. Use a site with Strapi 5; older ones cannot be relied on.")),
    "version-too-old": _("This version of the system is too old. Update it; what is older was not measured."),
    "no-drafts": _("Draft and publish is switched off for this type: what is created would be public at once. Switch it on."),
    "status-ignored": _("The target does not tell drafts from what is public. Check its version, and caches in between."),
    **dict.fromkeys(("clock-slow", "clock-skewed"), _CLOCK),
    "site-url-differs": _("The site names another address than the declared one. Use the one that it names."),
    "bucket-has-versions": _("The bucket keeps versions. Declare “versions” as yes, so that what was deleted is seen too."),
    # reading its list
    **dict.fromkeys(("unreadable-page", "unreadable-item", "unreadable-job", "paging-loop", "paging-loops", "page-limit", "foreign-next-page", "total-mismatch", "unsorted", "too-many-keys", "changing", "list-forgets"), _LIST),
    **dict.fromkeys(("statuses-not-covered", "kind-not-declared", "cannot-read", "no-look-up", "no-list", "read-error", "cannot-list-changes", "cannot-go-on"), _DECLARE),
    "rate-limited": _BUSY,
    # services that were never run
    "cannot-be-checked": _("Every documented request of this service costs money, so that nothing was asked. The first real job will show whether the key is right."),
    "simulated": _("Read in the service's documentation and proven against a simulator, never run against the service. Begin with one job and look at it."),
}  # fmt: skip


def name_words(name: str) -> str:
    """What a line asks: ``look_up:create_draft`` is “Look-up by marker (drafts)”."""
    what, _colon, kind = name.partition(":")
    words = str(NAMES.get(what, what))
    return gettext("%(what)s (%(kind)s)") % {"what": words, "kind": KINDS.get(kind, kind)} if kind else words


def todo_words(code: str) -> str:
    """What to do about a failed line; a fault of the target itself for codes of its own."""
    if code in TODO:
        return str(TODO[code])
    if code.startswith("http-5"):
        return str(_FAULT)
    if code in {"http-429", "http-503"}:
        return str(_BUSY)
    if code.startswith("http-"):
        return str(_ANSWER)
    return str(_FAULT)
