"""``manage.py set_up``: the section and the accounts, made when they are not there; prints them as JSON.

``CMS_ADMIN_PASSWORD``: of the administrator; without it, no log-in. A command line would show it to every user of the
machine, and take one that begins with a hyphen for an option.
"""

from __future__ import annotations

import json
import os
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.core.management.base import BaseCommand, CommandParser
from wagtail.models import APIToken, Collection, GroupCollectionPermission, GroupPagePermission, Page, Site

from catalog.models import Section

# what each account may do with pages of the section
ACCOUNTS = {
    "delivery": ("add", "change"),  # makes drafts and sees them, cannot publish
    "adder": ("add",),  # sees its own pages only
    "outsider": (),  # knows the door, may nothing
}


class Command(BaseCommand):
    help = "Makes the section for products and the accounts of the API; again changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--replace", action="store_true", help="also the administrator's password, where there is one"
        )

    def handle(self, *args: Any, replace: bool, **options: Any) -> None:
        section = self._section()
        users = {name: self._account(name, may, section) for name, may in ACCOUNTS.items()}
        users["admin"] = self._admin(os.environ.get("CMS_ADMIN_PASSWORD", ""), replace=replace)
        file = settings.DATA_DIR / "accounts.json"
        # the database may be another one than that of the file
        if not file.exists() or APIToken.objects.filter(user__in=users.values()).count() < len(users):
            tokens = {
                name: APIToken.create_token(user=user, name="tests and demo")[1]
                for name, user in users.items()
            }
            file.unlink(missing_ok=True)
            file.touch(mode=0o600)
            file.write_text(json.dumps({"section": section.pk, "tokens": tokens}), encoding="utf-8")
        self.stdout.write(file.read_text(encoding="utf-8"))

    def _section(self) -> Section:
        found = Section.objects.filter(slug="products", depth=2).first()
        if found is not None:
            return found
        root = Page.get_first_root_node()
        section = root.add_child(instance=Section(title="Products", slug="products"))
        site = Site.objects.get(is_default_site=True)
        welcome, site.root_page, site.site_name = site.root_page, section, settings.WAGTAIL_SITE_NAME
        site.save()
        welcome.delete()
        return section

    def _account(self, name: str, may: tuple[str, ...], section: Section) -> Any:
        user, made = get_user_model().objects.get_or_create(username=name)
        if not made:
            return user
        user.set_unusable_password()
        user.save()
        group = Group.objects.create(name=name)
        user.groups.add(group)
        for verb in may:
            GroupPagePermission.objects.create(group=group, page=section, permission_type=verb)
        if may:
            for codename in ("add_image", "choose_image"):
                GroupCollectionPermission.objects.create(
                    group=group,
                    collection=Collection.get_first_root_node(),
                    permission=Permission.objects.get(
                        codename=codename, content_type__app_label="wagtailimages"
                    ),
                )
        return user

    def _admin(self, password: str, *, replace: bool) -> Any:
        user, made = get_user_model().objects.get_or_create(
            username="admin", defaults={"is_staff": True, "is_superuser": True}
        )
        # one that a person has chosen stays
        if made or (password and (replace or not user.has_usable_password())):
            user.set_password(password or None)
            user.save()
        return user
