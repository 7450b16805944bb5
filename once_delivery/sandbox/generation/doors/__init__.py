"""One door a service. The sources of each are named in ``once_delivery/targets/jobs/services/<name>.json``."""

from __future__ import annotations

from collections.abc import Callable

from once_delivery.sandbox.generation.doors.ark import Ark
from once_delivery.sandbox.generation.doors.dashscope import DashScope
from once_delivery.sandbox.generation.doors.fal import Fal
from once_delivery.sandbox.generation.doors.kling import Kling
from once_delivery.sandbox.generation.doors.openai_batch import OpenAiBatch
from once_delivery.sandbox.generation.doors.openai_images import OpenAiImages
from once_delivery.sandbox.generation.doors.replicate import Replicate
from once_delivery.sandbox.generation.wire import Door
from once_delivery.sandbox.generation.world import World

DOORS: dict[str, Callable[[World], Door]] = {
    "ark": Ark,
    "dashscope": DashScope,
    "fal": Fal,
    "kling": Kling,
    "openai_batch": OpenAiBatch,
    "openai_images": OpenAiImages,
    "replicate": Replicate,
}
