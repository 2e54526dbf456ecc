/** What `django-admin startproject` and `startapp` leave, as short as it works, with one model and one view. */
export const DJANGO_PROJECT: Readonly<Record<string, string>> = {
  'manage.py': `import os
import sys


def main():
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "mysite.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
`,
  'mysite/__init__.py': '',
  'mysite/settings.py': `import os
import sys

BASE_DIR = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SECRET_KEY = "none"
TESTING = "test" in sys.argv
ROOT_URLCONF = "mysite.urls"
INSTALLED_APPS = ["django.contrib.contenttypes", "django.contrib.auth", "polls"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(BASE_DIR, "db.sqlite3")}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
USE_TZ = True
`,
  'mysite/urls.py': `from django.urls import path

from polls.views import index

urlpatterns = [path("", index)]
`,
  'polls/__init__.py': '',
  'polls/models.py': `from django.db import models


class Question(models.Model):
    text = models.CharField(max_length=200)
    votes = models.IntegerField(default=0)
`,
  'polls/migrations/__init__.py': '',
  'polls/migrations/0001_initial.py': `from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [
        migrations.CreateModel(
            name="Question",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("text", models.CharField(max_length=200)),
                ("votes", models.IntegerField(default=0)),
            ],
        ),
    ]
`,
  'polls/views.py': `from django.http import JsonResponse

from .models import Question


def index(request):
    return JsonResponse({"questions": [each.text for each in Question.objects.order_by("id")]})
`,
};

/** The project with a test of its view. */
export const DJANGO_SUITE: Readonly<Record<string, string>> = {
  ...DJANGO_PROJECT,
  'polls/tests.py': `from django.test import TestCase

from .models import Question


class Index(TestCase):
    def test_lists(self):
        Question.objects.create(text="one")
        self.assertEqual(self.client.get("/").json(), {"questions": ["one"]})
`,
};
