"""The words for what a target declares: its kinds, their parameters, and the credentials that each kind needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from once_delivery.targets.jobs.services import service
from once_delivery.targets.registry import UnknownTargetKindError, kinds

Words = str | Promise

# what each kind is for
KINDS: dict[str, Words] = {
    "wordpress": _("A WordPress site: posts as drafts, media."),
    "wagtail": _("A Wagtail site: pages as drafts, images."),
    "directus": _("A Directus project: items of one collection, files."),
    "strapi": _("A Strapi 5 site: entries of one content type, files."),
    "ghost": _("A Ghost site: posts as drafts."),
    "s3": _("A bucket that speaks S3: files, and drafts as files."),
    "jobs": _("A generation service: pictures and videos."),
    "rest": _("Any JSON API, by a declaration; ready ones for several services."),
    "permit": _("A place that only your own workflow reaches: it asks for a permit, acts, and reports."),
    "noop": _("Nothing outside: for trying things out. It makes nothing."),
}
TITLES: dict[str, Words] = {
    "wordpress": "WordPress", "wagtail": "Wagtail", "directus": "Directus", "strapi": "Strapi", "ghost": "Ghost",
    "s3": "S3", "rest": "JSON API", "contentful": "Contentful", "drupal": "Drupal", "sanity": "Sanity",
    "shopify": "Shopify", "permit": _("By permit"),
}  # fmt: skip
_PATH_HELP = _("Leave empty unless the site was set up with another one.")
_FIELDS_HELP = _("One a line: our name = the target's name. Empty: the usual ones.")
_COMMON: dict[str, tuple[Words, Words]] = {
    "fields": (_("Fields of drafts"), _FIELDS_HELP),
    "marker_field": (_("Field of the marker"), _("Text that readers do not see; it must be there before the first delivery.")),
    "api_path": (_("Path of the API"), _PATH_HELP),
    "admin_path": (_("Path of the back office"), _("For links that lead people to a draft.")),
    "plugin": (_("Our plug-in is installed"), _("It finds markers whatever editors change, and lets one draft through for each.")),
}  # fmt: skip
PARAMETERS: dict[str, dict[str, tuple[Words, Words]]] = {
    "wordpress": {
        "post_type": (_("Post type"), _("Empty: posts.")),
        "marker_meta": (_("Meta field of the marker"), _("Empty: the usual one. None: the marker stands in the slug alone.")),
        "by_locale": (_("Extra fields by locale"), _("For what the form cannot say, use the expert field.")),
        "media_types": (_("Types of files"), _("One a line: media type = ending.")),
        "recent": (_("How many of the newest drafts are read for changes"), _("Empty: 200.")),
        "plain_permalinks": (_("Plain permalinks"), _("Yes where the site has no pretty addresses.")),
    },
    "wagtail": {
        "page_type": (_("Page type"), _("As app.Model, for example shop.ProductPage.")),
        "parent_id": (_("ID of the parent page"), _("New pages are made under it.")),
        "parent_by_locale": (_("Parent page by locale"), _("One a line: locale = ID of the page.")),
        "image_marker_field": (_("Field of the marker of images"), _("None: no images are uploaded.")),
        "image_fields": (_("Fields of images"), _FIELDS_HELP),
    },
    "directus": {
        "collection": (_("Collection"), _("Drafts are items of it.")),
        "client_id": (_("We choose the ID"), _("Yes where the key of the collection is a UUID.")),
        "status_field": (_("Field of the status"), _("Empty: status.")),
        "draft_value": (_("Value for a draft"), _("Empty: draft.")),
        "archived_value": (_("Value for what was archived"), _("Empty: archived. None: nothing is archived.")),
        "created_field": (_("Field of the time of creation"), _("Empty: date_created.")),
        "updated_field": (_("Field of the time of the last change"), _("Empty: date_updated.")),
        "file_marker_field": (_("Field of the marker of files"), _("None: no files are uploaded.")),
        "file_fields": (_("Fields of files"), _FIELDS_HELP),
        "folder": (_("Folder of files"), _("Its UUID; empty or none: the root.")),
    },
    "strapi": {
        "content_type": (_("Content type"), _("Its plural name in the API, for example articles.")),
        "locales": (_("Languages"), _("One a line: our locale = Strapi's.")),
        "uid": (_("UID of the content type"), _("For links, for example api::article.article.")),
    },
    "ghost": {
        "site_url": (_("Address of the site"), _("Only where it is another domain than the API's.")),
        "images": (_("Upload images"), _("Ghost cannot list them, so that a lost answer needs a person.")),
    },
    "s3": {
        "bucket": (_("Bucket"), _("Its name.")),
        "region": (_("Region"), _("Empty: us-east-1.")),
        "style": (_("Addressing"), _("Path: the bucket is in the path. Virtual: it is in the host's name.")),
        "signed_host": (_("Host that is signed"), _("Only where a proxy stands between.")),
        "keys": (_("Keys"), _("Where things go in the bucket.")),
        "create_draft": (_("Key of drafts"), _("Must hold {marker}. Empty: drafts/{marker}.json.")),
        "upload_file": (_("Key of files"), _("Must hold {marker}; may hold {name}. Empty: files/{marker}/{name}.")),
        "draft": (_("Form of a draft"), _("JSON, or HTML that can be looked at.")),
        "headers": (_("Headers of uploads"), _("One a line: name = value.")),
        "conditional": (_("The store honours conditions"), _("It refuses a second object under one key by itself. Probe it.")),
        "etag_quotes": (_("Quotes around ETags"), _("No for Ceph 16.")),
        "versions": (_("The bucket keeps versions"), _("Then what was deleted is seen too.")),
        "multipart": (_("Large files"), _("Go up in parts.")),
        "above": (_("In parts above"), _("Bytes.")),
        "part_size": (_("Size of a part"), _("Bytes.")),
    },
    "jobs": {
        "service": (_("Service"), _("Each was read in its documentation and run against a simulator.")),
        "hook_base_url": (_("Where the service may call us"), _("Our own address as the service sees it.")),
        "sole_user": (_("Nobody else uses this account"), _("Then an unclaimed job in its list is ours.")),
        "clock_skew_s": (_("How far its clock may be from ours"), _("Seconds. Empty: 60.")),
        "price": (_("What one more job costs"), _("Shown to whoever decides about a second try.")),
        "amount": (_("Amount"), _("For example 0.35.")),
        "currency": (_("Currency"), _("Three letters, for example CNY.")),
        "source": (_("Where that stands"), _("The price list, and its date.")),
    },
    "rest": {},
    "permit": {},
    "noop": {},
}  # fmt: skip
CREDENTIALS: dict[str, Words] = {
    "token": _("Token"),
    "username": _("Name of the account"),
    "password": _("Password"),
    "application_password": _("Application password"),
    "media_username": _("Name of the account for files"),
    "media_application_password": _("Application password for files"),
    "admin_api_key": _("Admin API key"),
    "api_key": _("API key"),
    "access_key": _("Access key"),
    "secret_key": _("Secret key"),
    "session_token": _("Session token"),
    "hook_key": _("Key of our call address"),
}
_OF_KIND: dict[str, tuple[str, ...]] = {
    "wordpress": ("username", "application_password", "media_username", "media_application_password"),
    "wagtail": ("token",),
    "directus": ("token",),
    "strapi": ("token",),
    "ghost": ("admin_api_key",),
    "s3": ("access_key", "secret_key", "session_token"),
}
OPTIONAL = frozenset({"media_username", "media_application_password", "session_token", "hook_key"})


def words_of(kind: str, name: str) -> tuple[str, str]:
    """The label of a parameter and what it means; its own name where there are no words."""
    found = PARAMETERS.get(kind, {}).get(name) or _COMMON.get(name)
    return (str(found[0]), str(found[1])) if found else (name, "")


def credential_names(kind: str, declaration: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the credentials that a target of ``kind`` with this declaration takes."""
    if kind not in kinds():
        raise UnknownTargetKindError(kind=kind)
    if kind in _OF_KIND:
        return _OF_KIND[kind]
    if kind == "jobs":
        name = declaration.get("service")
        known = service(name).auth if isinstance(name, str) and name else {}
        return (*_named(known), "hook_key")
    return _named(declaration.get("auth", {}))


def _named(auth: Any) -> tuple[str, ...]:
    """Credentials as an ``auth`` part of a declaration names them."""
    if not isinstance(auth, Mapping):
        return ()
    parts = ("credential", "username", "password", "access_key", "secret_key")
    return tuple(str(auth[part]) for part in parts if isinstance(auth.get(part), str))
