import { Marked } from 'marked';
import { ownValue } from '../../../lib/own-value.ts';
import type { ExportedSession } from './exported-session.ts';
import type { ExportBlock } from './export-blocks.ts';
import { exportFacts } from './export-facts.ts';

const STYLE = `
:root{color-scheme:light dark;--dim:#59636e;--line:#d1d9e0;--add:#dafbe1;--del:#ffebe9}
@media(prefers-color-scheme:dark){:root{--dim:#9198a1;--line:#3d444d;--add:#12301f;--del:#3b1a1f}}
body{font:16px/1.55 system-ui,sans-serif;max-width:54rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}
.user{border-left:4px solid #0969da;padding:.2rem 1rem;white-space:pre-wrap;margin:1.5rem 0;overflow-wrap:anywhere}
.note{color:var(--dim);margin:.3rem 0;overflow-wrap:anywhere}.ok::before{content:"✓ ";color:#1a7f37}.failed::before{content:"✗ ";color:#cf222e}
.call{font-family:ui-monospace,monospace;font-size:.9rem;margin:.3rem 0;overflow-wrap:anywhere}
pre{overflow-x:auto;border:1px solid var(--line);border-radius:6px;padding:.6rem;font-size:.85rem;line-height:1.45}
pre .a{background:var(--add);display:block}pre .d{background:var(--del);display:block}pre .c{display:block}
details{margin:.2rem 0 .8rem}summary{cursor:pointer}`;

/**
 * One file without external resources. Foreign text is escaped, and a content security policy in the page forbids scripts in case something was
 * overlooked.
 */
export function formatHtml(session: ExportedSession, blocks: readonly ExportBlock[]): string {
  const facts = exportFacts(session).map(([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(value)}</dd>`);
  const title = escape(session.title || session.id);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title><style>${STYLE}</style></head>
<body><h1>${title}</h1><dl>${facts.join('')}</dl>
${blocks.map(formatBlock).join('\n')}
</body></html>
`;
}

function formatBlock(block: ExportBlock): string {
  switch (block.kind) {
    case 'user':
      return `<div class="user">${escape(block.text)}</div>`;
    case 'model':
      return `<div class="model">${modelText(block.text)}</div>`;
    case 'note':
      return `<p class="note">${escape(block.text)}</p>`;
    case 'call': {
      const line = `<span class="${block.ok ? 'ok' : 'failed'}">${escape(block.title)}</span> <span class="note">${escape(block.outcome)}</span>`;
      if (block.diff === null) return `<p class="call">${line}</p>`;
      return `<details class="call"><summary>${line}</summary>${diff(block.diff)}</details>`;
    }
    case 'review':
      return `<h3>${escape(block.title)}</h3><pre>${escape(block.message)}</pre>${block.diff === '' ? '' : `<details open><summary>The change</summary>${diff(block.diff)}</details>`}`;
  }
}

/** HTML within the model's Markdown is shown as text, an image as its description, and a link leads only to the web. */
function modelText(text: string): string {
  const marked = new Marked({
    async: false,
    renderer: {
      html: ({ text: html }) => escape(html),
      image: ({ text: words }) => escape(words),
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        return /^https?:\/\//i.test(href) ? `<a href="${escape(href)}" rel="noreferrer">${words}</a>` : words;
      },
    },
  });
  return marked.parse(text, { async: false });
}

function diff(text: string): string {
  const lines = text.replace(/\n$/, '').split('\n');
  const kinds: Readonly<Record<string, string>> = { '+': 'a', '-': 'd' };
  return `<pre>${lines.map((line) => `<span class="${kinds[line[0] ?? ''] ?? 'c'}">${escape(line) || ' '}</span>`).join('')}</pre>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ownValue(ENTITIES, character) ?? character);
}
