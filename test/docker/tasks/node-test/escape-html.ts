import { commit, edit, learn, plan, read, runTests, say } from '../../../support/job/developer.ts';
import type { Developer } from '../../../support/job/developer.ts';
import type { SmallTask } from '../small-task.ts';

const CASES = `
test('escapes what HTML would read', () => {
  assert.equal(paragraph('a < b & "c" > \\'d\\''), '<p>a &lt; b &amp; &quot;c&quot; &gt; &#39;d&#39;</p>');
  assert.equal(heading('<script>'), '<h1>&lt;script&gt;</h1>');
});
test('escapes an ampersand once', () => assert.equal(paragraph('&lt;'), '<p>&amp;lt;</p>'));
`;
const LAST = "test('paragraph', () => assert.equal(paragraph('Hi'), '<p>Hi</p>'));\n";

const ESCAPE = `const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

`;

/** Reaches for the editor it knows from elsewhere, and names a place that there are two of. */
function* developer(): Developer {
  const asked = yield say('Opening the file.', { tool: 'fs.open', input: { path: 'src/html.js' } });
  const reader = learn(asked.results[0], /Tools: .*?\b(fs\.read)\b/);
  yield say('', { tool: reader, input: { path: 'src/html.js' } }, read('test/html.test.js'));
  yield say('', plan('Escape text in HTML', 'Extend test/html.test.js', 'Escape'));
  yield say('The cases belong to those that are there.', edit('test/html.test.js', LAST, LAST + CASES));
  yield say('', runTests());
  const twice = yield say('Failing as they should.', edit('src/html.js', "' + text + '", "' + escapeHtml(text) + '"));
  learn(twice.results[0], /occurs 2 times, at lines 2, 6.*set replace_all/s);
  yield say(
    'Both of them are meant.',
    {
      tool: 'fs.edit',
      input: {
        path: 'src/html.js',
        old_string: "' + text + '",
        new_string: "' + escapeHtml(text) + '",
        replace_all: true,
      },
    },
    edit('src/html.js', 'export function heading', ESCAPE + 'export function heading'),
  );
  yield say('', runTests());
  yield say('', commit('Escape text in headings and paragraphs'));
}

export const escapeHtml: SmallTask = {
  name: 'escape HTML',
  ask: 'heading() and paragraph() must escape their text',
  wire: 'chat-completions',
  developer,
  refused: ['unknown_tool', 'edit_ambiguous'],
  commits: ['M src/html.js', 'M test/html.test.js'],
  forHuman: [],
};
