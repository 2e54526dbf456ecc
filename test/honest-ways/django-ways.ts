import { fileText } from '../support/file-text.ts';
import { DJANGO_PROJECT, DJANGO_SUITE } from '../support/django-project.ts';
import { testFirst } from './way.ts';
import type { RunnerWays } from './way.ts';

const VIEWS = DJANGO_PROJECT['polls/views.py'] ?? '';
const URLS = DJANGO_PROJECT['mysite/urls.py'] ?? '';
const MODELS = DJANGO_PROJECT['polls/models.py'] ?? '';

export const DJANGO_WAYS: RunnerWays = {
  runner: 'django-test',
  project: DJANGO_SUITE,
  ways: [
    {
      name: 'a method of a model',
      steps: testFirst(
        [
          'polls/test_popular.py',
          fileText`
            from django.test import TestCase

            from .models import Question


            class Popular(TestCase):
                def test_needs_ten_votes(self):
                    question = Question.objects.create(text="tea", votes=9)
                    self.assertFalse(question.is_popular())
                    question.votes = 10
                    self.assertTrue(question.is_popular())
          `,
        ],
        ['polls/models.py', `${MODELS}\n    def is_popular(self):\n        return self.votes >= 10\n`],
      ),
    },
    {
      name: 'a view with its address',
      steps: [
        [
          'polls/test_detail.py',
          fileText`
            from django.test import TestCase

            from .models import Question


            class Detail(TestCase):
                def test_shows_one(self):
                    question = Question.objects.create(text="tea", votes=3)
                    response = self.client.get(f"/{question.pk}/")
                    self.assertEqual(response.json(), {"text": "tea", "votes": 3})

                def test_is_missing(self):
                    self.assertEqual(self.client.get("/77/").status_code, 404)
          `,
        ],
        'run',
        [
          'polls/views.py',
          VIEWS.replace(
            'import JsonResponse\n',
            'import JsonResponse\nfrom django.shortcuts import get_object_or_404\n',
          ) +
            fileText`


              def detail(request, pk):
                  question = get_object_or_404(Question, pk=pk)
                  return JsonResponse({"text": question.text, "votes": question.votes})
            `,
        ],
        [
          'mysite/urls.py',
          URLS.replace('import index', 'import detail, index').replace(
            'path("", index)',
            'path("", index), path("<int:pk>/", detail)',
          ),
        ],
        'run',
      ],
    },
    {
      name: 'a vote that is counted in an old view',
      steps: testFirst(
        [
          'polls/test_vote.py',
          fileText`
            from django.test import TestCase

            from .models import Question


            class Vote(TestCase):
                def test_counts_a_vote(self):
                    question = Question.objects.create(text="tea", votes=3)
                    other = Question.objects.create(text="milk", votes=1)
                    self.client.get("/", {"vote": question.pk})
                    question.refresh_from_db()
                    other.refresh_from_db()
                    self.assertEqual((question.votes, other.votes), (4, 1))
          `,
        ],
        [
          'polls/views.py',
          fileText`
            from django.db.models import F
            from django.http import JsonResponse

            from .models import Question


            def index(request):
                if "vote" in request.GET:
                    Question.objects.filter(pk=request.GET["vote"]).update(votes=F("votes") + 1)
                return JsonResponse({"questions": [each.text for each in Question.objects.order_by("id")]})
          `,
        ],
      ),
    },
    {
      name: 'a form that says what is wrong',
      steps: testFirst(
        [
          'polls/test_forms.py',
          fileText`
            from django.test import SimpleTestCase

            from .forms import QuestionForm


            class Form(SimpleTestCase):
                def test_takes_a_question(self):
                    form = QuestionForm({"text": " Tea or milk? "})
                    self.assertTrue(form.is_valid())
                    self.assertEqual(form.cleaned_data, {"text": "Tea or milk?"})

                def test_wants_a_question_mark(self):
                    form = QuestionForm({"text": "Tea"})
                    self.assertEqual(form.errors, {"text": ["A question ends in a question mark."]})
          `,
        ],
        [
          'polls/forms.py',
          fileText`
            from django import forms


            class QuestionForm(forms.Form):
                text = forms.CharField(max_length=200)

                def clean_text(self):
                    text = self.cleaned_data["text"]
                    if not text.endswith("?"):
                        raise forms.ValidationError("A question ends in a question mark.")
                    return text
          `,
        ],
      ),
    },
    {
      name: 'a setting that a test overrides',
      steps: testFirst(
        [
          'polls/test_page.py',
          fileText`
            from django.test import SimpleTestCase, override_settings

            from .paging import page


            class Page(SimpleTestCase):
                @override_settings(PAGE_SIZE=2)
                def test_has_a_size(self):
                    self.assertEqual(page([1, 2, 3, 4, 5], 2), [3, 4])
                    self.assertEqual(page([1, 2, 3, 4, 5], 3), [5])

                def test_has_ten_without_a_setting(self):
                    self.assertEqual(page(list(range(25)), 2), list(range(10, 20)))
          `,
        ],
        [
          'polls/paging.py',
          fileText`
            from django.conf import settings


            def page(items, number):
                size = getattr(settings, "PAGE_SIZE", 10)
                return items[(number - 1) * size : number * size]
          `,
        ],
      ),
    },
    {
      name: 'a mail that is sent',
      steps: testFirst(
        [
          'polls/test_mail.py',
          fileText`
            from django.core import mail
            from django.test import TestCase

            from .models import Question
            from .notify import notify


            class Notify(TestCase):
                def test_sends_the_question(self):
                    notify(Question(text="Tea?", votes=3), ["ada@example.org"])
                    (sent,) = mail.outbox
                    self.assertEqual(sent.subject, "Tea?")
                    self.assertEqual(sent.body, "It has 3 votes.")
                    self.assertEqual(sent.from_email, "polls@example.org")
                    self.assertEqual(sent.to, ["ada@example.org"])
          `,
        ],
        [
          'polls/notify.py',
          fileText`
            from django.core.mail import send_mail


            def notify(question, people):
                send_mail(question.text, f"It has {question.votes} votes.", "polls@example.org", people)
          `,
        ],
      ),
    },
  ],
};
