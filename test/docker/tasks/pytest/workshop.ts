import type { Workshop } from '../small-task.ts';
import { amountError } from './amount-error.ts';
import { csvQuoting } from './csv-quoting.ts';
import { defaultCurrency } from './default-currency.ts';
import { parseDate } from './parse-date.ts';
import { slug } from './slug.ts';

/** A Python package below src/, whose tests have names of their own. */
export const pytestWorkshop: Workshop = {
  runner: 'pytest',
  files: {
    '.gitignore': '__pycache__/\n.pytest_cache/\n',
    'pyproject.toml': `[project]
name = "ledger"
version = "1.0"

[tool.pytest.ini_options]
testpaths = ["tests"]
python_files = ["check_*.py"]
pythonpath = ["src"]
addopts = "-q"
`,
    'src/ledger/__init__.py': '',
    'src/ledger/export.py': `def row(fields):
    return ",".join(str(field) for field in fields)


def export(rows):
    if not rows:
        return ""
    return "\\n".join(row(fields) for fields in rows) + "\\n"
`,
    'src/ledger/settings.py': `import json
from dataclasses import dataclass


@dataclass
class Settings:
    owner: str


def load(path):
    with open(path, encoding="utf-8") as file:
        return Settings(**json.load(file))
`,
    'src/ledger/amounts.py': `def parse_amount(text):
    try:
        return round(float(text) * 100)
    except ValueError:
        raise ValueError("bad amount")


def parse_amounts(text):
    return [parse_amount(line) for line in text.splitlines()]
`,
    'src/ledger/slug.py': `import re


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
`,
    'tests/check_export.py': `from ledger.export import export


def test_rows():
    assert export([["a", 1], ["b", 2]]) == "a,1\\nb,2\\n"


def test_nothing():
    assert export([]) == ""
`,
    'tests/check_amounts.py': `import pytest
from ledger.amounts import parse_amounts


def test_amounts():
    assert parse_amounts("1.5\\n2") == [150, 200]


def test_bad_amount():
    with pytest.raises(ValueError, match="bad amount"):
        parse_amounts("1\\nx")
`,
    'tests/check_slug.py': `from ledger.slug import slug


def test_slug():
    assert slug("Rent, March!") == "rent-march"
`,
  },
  test: ['/usr/bin/python3', '-B', '-m', 'pytest', '-p', 'no:cacheprovider'],
  tasks: [parseDate, csvQuoting, defaultCurrency, amountError, slug],
};
