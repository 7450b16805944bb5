"""Drafts and what people decide about them."""

from __future__ import annotations

from django.urls import URLPattern, path

from once_delivery.web.views.review import approving, deciding, images, links, listing, many, revoking

urlpatterns: list[URLPattern] = [
    path("review/", listing.drafts, name="review"),
    path("review/export.csv", listing.export, name="review-export"),
    path("review/read/", many.read, name="review-read"),
    path("review/accept/", many.plan, name="review-plan"),
    path("review/accept/run/", many.run, name="review-start"),
    path("review/accept/<uuid:job>/", many.progress, name="review-run"),
    path("review/accept/<uuid:job>/undo/", many.undo, name="review-undo"),
    path("review/<uuid:uuid>/", deciding.draft, name="review-task"),
    path("review/<uuid:uuid>/comments/", deciding.comment, name="review-comment"),
    path("review/<uuid:uuid>/image/", images.image, name="review-image"),
    path("review/<uuid:uuid>/links/", links.links, name="review-links"),
    path("review/<uuid:uuid>/links/<uuid:link>/revoke/", links.revoke, name="review-revoke"),
    path("review/<uuid:uuid>/taken-back/", revoking.answer, name="review-taken-back"),
    path("approve/<str:secret>/", approving.approve, name="approve"),
    path("approve/<str:secret>/image/", approving.approve_image, name="approve-image"),
]
