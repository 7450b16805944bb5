"""Pages for product content. ``external_ref`` is what makes a delivery unrepeatable: unique in the database."""

from __future__ import annotations

from django.db import models
from wagtail.admin.panels import FieldPanel
from wagtail.api import APIField
from wagtail.fields import RichTextField
from wagtail.images.models import AbstractImage, AbstractRendition, Image
from wagtail.models import Page

# what briefs for products have in them; what is not named here Wagtail takes out of a text
TEXT_FEATURES = [
    "h2", "h3", "h4", "bold", "italic", "ol", "ul", "hr", "blockquote", "superscript", "subscript", "link", "image",
]  # fmt: skip


def external_ref() -> models.CharField:
    """Whose delivery this is. In no panel, so that editors neither see nor change it."""
    return models.CharField(max_length=64, unique=True, null=True, blank=True)


class CatalogImage(AbstractImage):
    external_ref = external_ref()
    admin_form_fields = (*Image.admin_form_fields, "external_ref")
    api_fields = [APIField("external_ref", writable=True)]


class CatalogRendition(AbstractRendition):
    image = models.ForeignKey(CatalogImage, on_delete=models.CASCADE, related_name="renditions")

    class Meta:
        unique_together = [("image", "filter_spec", "focal_point_key")]


class Section(Page):
    """Where the product pages hang."""

    subpage_types = ["catalog.ProductPage", "catalog.NewsPage", "catalog.Section"]
    api_fields = [APIField("live")]


class ProductPage(Page):
    external_ref = external_ref()
    product = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=20, blank=True)
    excerpt = models.TextField(blank=True)
    body = RichTextField(blank=True, features=TEXT_FEATURES)
    hero_image = models.ForeignKey(
        CatalogImage, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    parent_page_types = ["catalog.Section"]
    content_panels = [
        *Page.content_panels,
        FieldPanel("product"),
        FieldPanel("language"),
        FieldPanel("excerpt"),
        FieldPanel("hero_image"),
        FieldPanel("body"),
    ]
    # a copy is not what was delivered
    exclude_fields_in_copy = ["external_ref"]
    api_fields = [
        APIField("external_ref", writable=True),
        APIField("product", writable=True),
        APIField("language", writable=True),
        APIField("excerpt", writable=True),
        APIField("body", writable=True),
        APIField("hero_image", writable=True),
        APIField("live"),
        APIField("latest_revision_created_at"),
    ]


class NewsPage(Page):
    """As a site looks that added nothing for us: the slug is the only place for the marker."""

    body = RichTextField(blank=True)

    parent_page_types = ["catalog.Section"]
    content_panels = [*Page.content_panels, FieldPanel("body")]
    api_fields = [APIField("body", writable=True)]
