"""Coming in, going out, how one wants to see the house, and whether it is well."""

from __future__ import annotations

from django.urls import URLPattern, path

from once_delivery.web.views import confirming, health, home, metrics, preferences, signing

urlpatterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("sign-in/", signing.sign_in, name="sign-in"),
    path("sign-out/", signing.sign_out, name="sign-out"),
    path("second-factor/", confirming.second_factor, name="second-factor"),
    path("second-factor/set-up/", confirming.set_up, name="second-factor-setup"),
    path("confirm/", confirming.confirm, name="confirm"),
    path("preferences/language/", preferences.language, name="language"),
    path("preferences/theme/", preferences.theme, name="theme"),
    path("health/live", health.live, name="live"),
    path("health/ready", health.ready, name="ready"),
    path("metrics", metrics.metrics, name="metrics"),
]
