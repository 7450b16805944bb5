"""What the two ledgers say: totals, ratios, reports. Reads only; README.md tells what each module gives."""
