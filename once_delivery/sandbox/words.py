"""What the pages say, in English and Chinese."""

from __future__ import annotations

from typing import Literal

Language = Literal["en", "zh-Hans"]

_WORDS: dict[str, tuple[str, str]] = {
    "title": ("Sandbox CMS", "演练用内容系统"),
    "skip": ("Skip to content", "跳到正文"),
    "other_language": ("中文", "English"),
    "open_notice": (
        (
            "A server for tests and demonstrations. This page needs no sign-in: anyone who reaches the address can read it. "
            "Keep nothing real here. The content API does ask for each space's token."
        ),
        "测试与演示用的服务器。本页无需登录：能访问此地址的人都能看到。请勿存放真实资料。内容接口仍需各空间的令牌。",
    ),
    "spaces_head": ("Spaces: {n}", "{n} 个空间"),
    "no_spaces": ("No space yet", "还没有空间"),
    "no_spaces_next": (
        "An administrator makes one with PUT /admin/spaces/name. Nothing is made by itself.",
        "管理员用 PUT /admin/spaces/名称 建立。不会自动建立。",
    ),
    "space": ("Space", "空间"),
    "drafts": ("Drafts", "草稿"),
    "uploads": ("Files", "文件"),
    "jobs": ("Jobs", "生成作业"),
    "create_calls": ("Create calls", "创建请求"),
    "once_head": (
        "Every marker has at most one object. Drafts {drafts}, files {uploads}, jobs {jobs}.",
        "草稿 {drafts} 份，文件 {uploads} 个，生成作业 {jobs} 个。每个标识至多一个。",
    ),
    "twice_head": (
        "Markers with more than one object: {n}. Drafts {drafts}, files {uploads}, jobs {jobs}.",
        "{n} 个标识有多个对象。共有草稿 {drafts} 份，文件 {uploads} 个，生成作业 {jobs} 个。",
    ),
    "empty_space": ("This space holds nothing yet.", "此空间还没有内容。"),
    "counts_what": (
        "Counted in the sandbox's own storage, whatever the look-up says. Trash is listed and not counted.",
        "在本系统自己的存储里清点，与查询所见无关。回收站中的列出，不计数。",
    ),
    "product": ("Product", "产品"),
    "locale": ("Language", "语言"),
    "name": ("Title", "标题"),
    "marker": ("Marker", "标识"),
    "count": ("At the target", "目标中"),
    "ids": ("Result ID", "结果 ID"),
    "created": ("Created (UTC)", "创建时间 (UTC)"),
    "no_marker": ("no marker", "无标识"),
    "by_hand": ("by hand", "人工"),
    "objects_1": ("1", "1 份"),
    "objects_n": ("{n}", "{n} 份"),
    "shown_of": ("The first {shown} of {n} are shown.", "显示前 {shown} 项，共 {n} 项。"),
    "log": ("Create calls, newest first", "创建请求，最新在前"),
    "log_what": (
        "Create calls {calls}, objects made {made}, calls left without an answer {lost}, objects deleted {deleted}.",
        "创建请求 {calls} 次，建立对象 {made} 个；{lost} 次没有答复。删除 {deleted} 个。",
    ),
    "arrived": ("Arrived (UTC)", "到达时间 (UTC)"),
    "call": ("Request", "请求"),
    "fault": ("Fault played", "注入的故障"),
    "made": ("Made", "建立"),
    "answered": ("Answered", "答复"),
    "no_answer": ("no answer", "无答复"),
    "pending": ("still open", "尚未结束"),
    "nothing": ("nothing", "无"),
    "same": ("{id}, as before", "{id}，原有"),
    "none_yet": ("No call has come yet.", "还没有请求。"),
    "draft": ("draft", "草稿"),
    "pending_review": ("pending", "待审"),
    "private": ("private", "私密"),
    "scheduled": ("scheduled", "定时"),
    "published": ("published", "已发布"),
    "trash": ("trash", "回收站"),
    "stored": ("stored", "已存"),
    "queued": ("queued", "排队中"),
    "succeeded": ("succeeded", "已完成"),
    "failed": ("failed", "未完成"),
    "status": ("Status", "状态"),
    "version": ("Version", "版本"),
    "source": ("Content as it was sent", "收到的内容原文"),
    "back": ("All spaces", "全部空间"),
    "not_found": ("There is nothing at this address.", "此地址没有内容。"),
}


def word(language: Language, name: str, **values: object) -> str:
    """One phrase in a language."""
    return _WORDS[name][0 if language == "en" else 1].format(**values)


def status_word(language: Language, status: str) -> str:
    """The name of an object's status."""
    return word(language, "pending_review" if status == "pending" else status)


def choose(query: dict[str, str], headers: dict[str, str]) -> Language:
    """``?lang=`` if given, else whichever of the two the browser names first."""
    wish = query.get("lang", "").lower() or headers.get("accept-language", "").lower()
    for part in wish.split(","):
        if part.strip().startswith("zh"):
            return "zh-Hans"
        if part.strip().startswith("en"):
            return "en"
    return "en"
