"""Importing a batch file: send it, read what it would do, then import exactly that."""

from __future__ import annotations

from pathlib import PurePath
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from once_delivery.accounts.models import Project, User
from once_delivery.common.errors import DomainError
from once_delivery.common.sheets.limits import MEGABYTE, current_limits
from once_delivery.common.sheets.problems import ImportRefusedError
from once_delivery.intake.models import Upload
from once_delivery.intake.services.uploads import apply_upload, keep_upload, may_import, try_upload
from once_delivery.targets.models import Target
from once_delivery.ui.doors import MemberRequest, signed_in
from once_delivery.ui.one_effect import one_effect
from once_delivery.web.fetch_uploads import upload_of
from once_delivery.web.selectors.imports import importable, targets_of, tried, waiting_of

WRONG = 422
CHANGED = 409
TOO_LARGE = gettext_lazy("The file is larger than %(most)s MB. Split it.")
OTHER_PROJECT = gettext_lazy("This target is of another project.")


class ImportForm(forms.Form):
    """What is sent. A project or target that is not the person's is no choice."""

    project: forms.ModelChoiceField[Project] = forms.ModelChoiceField(
        Project.objects.none(), to_field_name="code"
    )
    target: forms.ModelChoiceField[Target] = forms.ModelChoiceField(
        Target.objects.none(), to_field_name="uuid", required=False
    )
    name = forms.CharField(max_length=200, required=False)
    file = forms.FileField(allow_empty_file=True)

    def __init__(self, user: User, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type] # as Django's own form takes them
        self.fields["project"].queryset = importable(user)  # type: ignore[attr-defined]
        self.fields["target"].queryset = targets_of(user)  # type: ignore[attr-defined]

    def clean_file(self) -> UploadedFile[bytes]:
        file: UploadedFile[bytes] = self.cleaned_data["file"]
        most = current_limits().file_bytes
        if (file.size or 0) > most:
            raise forms.ValidationError(
                TOO_LARGE, code="file-too-large", params={"most": f"{most / MEGABYTE:g}"}
            )
        return file

    def clean(self) -> None:
        target, project = self.cleaned_data.get("target"), self.cleaned_data.get("project")
        if target is not None and project is not None and target.project_id != project.pk:
            self.add_error("target", forms.ValidationError(OTHER_PROJECT, code="other-project"))


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@one_effect
def begin(request: MemberRequest) -> HttpResponse:
    """Choose the project and the file; the file is kept and tried."""
    if not importable(request.user).exists():
        raise PermissionDenied
    if request.method != "POST":
        return _form(request, ImportForm(request.user, initial={"project": request.GET.get("project", "")}))
    form = ImportForm(request.user, request.POST, request.FILES)
    if not form.is_valid():
        return _form(request, form)
    try:
        upload = _keep(request, form)
    except ImportRefusedError as error:
        for problem in error.problems:
            form.add_error("file", problem.message)
        return _form(request, form)
    except DomainError as error:
        form.add_error("file", error.message)
        return _form(request, form)
    return redirect("web:import-file", uuid=upload.uuid)


def _keep(request: MemberRequest, form: ImportForm) -> Upload:
    file, target = form.cleaned_data["file"], form.cleaned_data["target"]
    most = current_limits()
    pictures: dict[str, bytes] = {}
    total = 0
    for one in request.FILES.getlist("pictures"):
        total += one.size or 0
        # one that is too large is told at the rows that name it; beyond the limit of all nothing more is read
        pictures.setdefault(PurePath(one.name or "").name, one.read(most.image_bytes + 1))
        if total > most.images_bytes:
            break
    return keep_upload(
        project=form.cleaned_data["project"],
        user=request.user,
        data=file.read(most.file_bytes + 1),
        file_name=file.name,
        batch_name=form.cleaned_data["name"].strip(),
        default_target=target.name if target else "",
        pictures=pictures,
    )


def _form(request: MemberRequest, form: ImportForm) -> HttpResponse:
    page = {
        "form": form,
        "projects": list(importable(request.user)),
        "targets": list(targets_of(request.user)),
        "waiting": waiting_of(request.user),
        "limits": current_limits(),
        "megabytes": current_limits().file_bytes // MEGABYTE,
    }
    return render(request, "web/import.html", page, status=WRONG if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def file(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """What importing the file would do, or what is wrong with it. Posting tries it anew."""
    upload = _importers(request, uuid)
    if request.method == "POST":
        if upload.applied_at is None:
            try_upload(upload=upload)
        return redirect("web:import-file", uuid=upload.uuid)
    return _page(request, upload)


@require_POST
@signed_in
def apply(request: MemberRequest, uuid: UUID) -> HttpResponse:
    """Import exactly what was shown. A second click finds the batch of the first."""
    upload = _importers(request, uuid)
    try:
        batch = apply_upload(upload=upload, user=request.user, sha256=request.POST.get("sha256", ""))
    except ImportRefusedError:
        try_upload(upload=upload)
        return _page(
            request, upload, changed=_("The project has changed since the dry run; nothing was imported.")
        )
    except DomainError as error:
        return _page(request, upload, changed=error.message)
    if upload.applied_at is None:
        messages.success(
            request, _("The file is imported. Nothing was sent to a target yet: resume the batch.")
        )
    return redirect("web:batch", uuid=batch.uuid)


def _page(request: MemberRequest, upload: Upload, *, changed: str = "") -> HttpResponse:
    found = tried(upload, chosen=request.GET.get("what", ""), page=request.GET.get("page", ""))
    page = {"tried": found, "upload": upload, "project": upload.project, "changed": changed}
    return render(request, "web/import_file.html", page, status=CHANGED if changed else 200)


def _importers(request: MemberRequest, uuid: UUID) -> Upload:
    upload = upload_of(request.user, uuid)
    if not may_import(request.user, upload.project):
        raise PermissionDenied
    return upload
