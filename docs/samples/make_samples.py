"""Write autumn-launch.xlsx and autumn-launch.json from autumn-launch.csv, which people edit.

python docs/samples/make_samples.py
"""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from openpyxl import Workbook
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter

HERE = Path(__file__).parent
SOURCE = HERE / "autumn-launch.csv"
WIDE = {"brief": 50, "title": 40, "body": 80, "image_alt": 40, "field.excerpt": 40}

Rows = list[dict[str, str]]


def rows_of(path: Path) -> Rows:
    """The rows of a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_xlsx(rows: Rows, path: Path) -> None:
    """The same rows as a workbook that people can work in."""
    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = "batch"
    sheet.append(list(rows[0]))
    for row in rows:
        sheet.append(
            [int(value) if name == "input_version" else value or None for name, value in row.items()]
        )
    sheet.freeze_panes = "D2"
    for cell in sheet[1]:
        cell.font = Font(bold=True)
    for index, name in enumerate(rows[0], 1):
        letter = get_column_letter(index)
        sheet.column_dimensions[letter].width = WIDE.get(name, 18)
        for cell in sheet[letter]:
            cell.alignment = Alignment(vertical="top", wrap_text=name in WIDE)
    book.save(path)


def document_of(rows: Rows, name: str) -> dict[str, Any]:
    """The same rows in the JSON form: products, input versions, deliveries with their actions."""
    first = [row for row in rows if row["brief"]]
    return {
        "batch": name,
        "products": [{"code": row["product"], "name": row["product_name"]} for row in first],
        "input_versions": [
            {
                "product": row["product"],
                "number": int(row["input_version"]),
                "brief": json.loads(row["brief"]) if row["brief"].startswith("{") else row["brief"],
                "approved_by": row["approved_by"],
                "approved_at": row["approved_at"],
            }
            for row in first
        ],
        "deliveries": [
            {
                "product": row["product"],
                "locale": row["locale"],
                "purpose": row["purpose"],
                "input_version": int(row["input_version"]),
                "actions": _actions(row),
            }
            for row in rows
        ],
    }


def _actions(row: dict[str, str]) -> list[dict[str, Any]]:
    upload = {"file": {"path": row["image"]}, "alt": row["image_alt"]}
    draft = {
        "title": row["title"],
        "body": row["body"],
        "locale": row["locale"],
        "product": row["product"],
        "purpose": row["purpose"],
        "excerpt": row["field.excerpt"],
        "featured_media": {"$result": "hero-image"},
    }
    return [
        {"target": row["target"], "kind": "upload_file", "slot": "hero-image", "payload": upload},
        {"target": row["target"], "kind": "create_draft", "slot": "main", "payload": draft},
    ]


def main() -> None:
    """Write both files anew."""
    rows = rows_of(SOURCE)
    write_xlsx(rows, SOURCE.with_suffix(".xlsx"))
    text = json.dumps(document_of(rows, SOURCE.stem), ensure_ascii=False, indent=2)
    SOURCE.with_suffix(".json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
