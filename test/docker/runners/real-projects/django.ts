import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { djangoPackages, pythonDirectory } from '../../../support/django-packages.ts';
import { DJANGO_PROJECT } from '../../../support/django-project.ts';
import type { RealProject } from './real-project.ts';

/** Null where pip cannot install Django. */
export const djangoForRealProject = await djangoPackages();
const directory = await pythonDirectory();

/** The layout of `django-admin startproject`, with Django in the project's virtual environment. */
export const djangoProject: RealProject = {
  runner: 'django-test',
  name: 'polls: the most popular question is not the first one',
  files: () => ({
    ...DJANGO_PROJECT,
    '.gitignore': '.venv/\n',
    'requirements.txt': 'django\n',
    'polls/tests.py': `from django.test import TestCase

from .models import Question


class IndexTests(TestCase):
    def test_without_questions(self):
        self.assertEqual(self.client.get("/").json(), {"questions": []})

    def test_lists(self):
        Question.objects.create(text="Why?")
        self.assertEqual(self.client.get("/").json(), {"questions": ["Why?"]})
`,
  }),
  prepare: (root) => {
    execFileSync('/usr/bin/python3', ['-m', 'venv', '--without-pip', join(root, '.venv')]);
    const packages = join(root, '.venv/lib', directory, 'site-packages');
    if (djangoForRealProject !== null) cpSync(djangoForRealProject, packages, { recursive: true });
  },
  test: {
    path: 'polls/test_order.py',
    content: `from django.test import TestCase

from .models import Question


class OrderTests(TestCase):
    def test_most_popular_first(self):
        for text, votes in (("Why?", 2), ("How?", 5), ("Who?", 3)):
            Question.objects.create(text=text, votes=votes)
        self.assertEqual(self.client.get("/").json(), {"questions": ["How?", "Who?", "Why?"]})

    def test_same_votes_by_age(self):
        for text, votes in (("Why?", 2), ("How?", 5), ("Who?", 5)):
            Question.objects.create(text=text, votes=votes)
        self.assertEqual(self.client.get("/").json(), {"questions": ["How?", "Who?", "Why?"]})
`,
  },
  fix: { path: 'polls/views.py', old_string: 'order_by("id")', new_string: 'order_by("-votes", "id")' },
  cases: ['OrderTests > test_most_popular_first', 'OrderTests > test_same_votes_by_age'],
  forHuman: [],
};
