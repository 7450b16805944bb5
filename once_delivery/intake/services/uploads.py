"""Batch files from a browser: kept, tried, imported. What is imported are the bytes that were tried."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import timedelta
from pathlib import PurePath

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_noop

from once_delivery.accounts.access import role_of
from once_delivery.accounts.models import Project, Role, User
from once_delivery.common.errors import DomainError
from once_delivery.common.sheets.characters import printable
from once_delivery.common.sheets.formats import check_size
from once_delivery.common.sheets.limits import MEGABYTE, current_limits
from once_delivery.common.sheets.problems import ImportRefusedError, Problems
from once_delivery.intake.attachments import UploadedAttachments
from once_delivery.intake.models import Upload, UploadedPicture
from once_delivery.intake.report import ImportReport
from once_delivery.intake.report_data import data_of_refusal, data_of_report
from once_delivery.intake.services.import_batch import import_batch
from once_delivery.ledger.models import Batch

IMPORTERS = frozenset({Role.OPS_OWNER, Role.MARKETING_LEAD, Role.ADMIN})
KEPT_FOR = timedelta(days=2)  # a file that nobody imported
LISTED = 1_000  # problems of one file
MOST_PICTURES = 500


class NotAnImporterError(DomainError):
    """Asking for deliveries needs an ops owner, marketing lead or admin of the project."""

    code = "not-an-importer"
    template = gettext_noop("“%(user)s” does not import batches of this project.")


class TooManyPicturesError(DomainError):
    """More than can be kept for one file."""

    code = "pictures-too-many"
    template = gettext_noop(
        "More than %(most)s pictures, or more than %(megabytes)s MB of them. Split the batch."
    )


class OtherFileError(DomainError):
    """What is to be imported is not what was shown."""

    code = "other-file"
    template = gettext_noop(
        "The file is not the one that was shown. Nothing was imported; look at what it would do now."
    )


class NotTriedError(DomainError):
    """Its dry run found problems, or there was none."""

    code = "not-tried"
    template = gettext_noop("The file has problems. Nothing was imported; correct them and send it again.")


def may_import(user: User, project: Project) -> bool:
    """Whether ``user`` asks for deliveries of ``project``."""
    return role_of(user, project) in IMPORTERS


def keep_upload(
    *,
    project: Project,
    user: User,
    data: bytes,
    file_name: str,
    batch_name: str = "",
    default_target: str = "",
    pictures: Mapping[str, bytes],
) -> Upload:
    """Keep the file and try it. Raises NotAnImporterError, TooManyPicturesError, and ImportRefusedError when the
    file is empty or too large to be kept at all. Files of earlier days that nobody imported are forgotten.
    """
    _must_import(user, project)
    limits = current_limits()
    check_size(len(data), limits, Problems())
    if len(pictures) > MOST_PICTURES or sum(map(len, pictures.values())) > limits.images_bytes:
        raise TooManyPicturesError(most=MOST_PICTURES, megabytes=limits.images_bytes // MEGABYTE)
    _forget_old()
    with transaction.atomic():
        upload = Upload.objects.create(
            project=project,
            user=user,
            batch_name=batch_name,
            default_target=default_target,
            file_name=str(printable(PurePath(file_name).name))[-255:],
            sha256=hashlib.sha256(data).hexdigest(),
            size=len(data),
            data=data,
        )
        UploadedPicture.objects.bulk_create(
            [UploadedPicture(upload=upload, name=name[-255:], data=one) for name, one in pictures.items()],
            ignore_conflicts=True,
        )
    return try_upload(upload=upload)


def try_upload(*, upload: Upload) -> Upload:
    """Afterwards ``report`` says what importing the file would do now, or what is wrong with it."""
    try:
        upload.report = data_of_report(_run(upload, upload.user, dry_run=True))
    except ImportRefusedError as error:
        upload.report = data_of_refusal(error)
    upload.checked_at = timezone.now()
    upload.save(update_fields=["report", "checked_at"])
    return upload


def apply_upload(*, upload: Upload, user: User, sha256: str) -> Batch:
    """Import the file that was shown: all of it or nothing. Imported already, its batch is the answer.

    Raises NotAnImporterError, OtherFileError, NotTriedError, and ImportRefusedError with what has changed in the
    project since the dry run.
    """
    _must_import(user, upload.project)
    with transaction.atomic():
        kept = (
            Upload.objects.select_for_update(of=("self",)).select_related("project", "user").get(pk=upload.pk)
        )
        if kept.applied_at is not None and kept.batch is not None:
            return kept.batch
        if sha256 != kept.sha256 or hashlib.sha256(bytes(kept.data)).hexdigest() != kept.sha256:
            raise OtherFileError
        if not kept.report.get("ok"):
            raise NotTriedError
        report = _run(kept, user, dry_run=False)
        kept.report = data_of_report(report)
        kept.batch = report.result.batch
        kept.applied_at = timezone.now()
        kept.save(update_fields=["report", "batch", "applied_at"])
        kept.pictures.all().delete()  # the ledger keeps those that were named
    return kept.batch


def _run(upload: Upload, user: User, *, dry_run: bool) -> ImportReport:
    pictures = {one.name: bytes(one.data) for one in upload.pictures.all()}
    return import_batch(
        project=upload.project,
        data=bytes(upload.data),
        file_name=upload.file_name,
        batch_name=upload.batch_name,
        default_target=upload.default_target,
        user=user,
        dry_run=dry_run,
        attachments=UploadedAttachments(pictures),
        listed=LISTED,
    )


def _must_import(user: User, project: Project) -> None:
    if not may_import(user, project):
        raise NotAnImporterError(user=user.username)


def _forget_old() -> None:
    old = Q(applied_at__isnull=True, created_at__lt=timezone.now() - KEPT_FOR)
    Upload.objects.filter(old).delete()
