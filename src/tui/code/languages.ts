import { ownValue } from '../../lib/own-value.ts';

/** Languages by a file's extension. Others are shown without colours. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  bash: 'bash',
  c: 'cpp',
  cc: 'cpp',
  cjs: 'typescript',
  cpp: 'cpp',
  cs: 'csharp',
  css: 'css',
  cts: 'typescript',
  go: 'go',
  h: 'cpp',
  hpp: 'cpp',
  htm: 'xml',
  html: 'xml',
  ini: 'ini',
  java: 'java',
  js: 'typescript',
  json: 'json',
  json5: 'json',
  jsonc: 'json',
  jsx: 'typescript',
  kt: 'kotlin',
  markdown: 'markdown',
  md: 'markdown',
  mjs: 'typescript',
  mts: 'typescript',
  patch: 'diff',
  php: 'php',
  py: 'python',
  pyi: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'bash',
  sql: 'sql',
  svg: 'xml',
  swift: 'swift',
  toml: 'ini',
  ts: 'typescript',
  tsx: 'typescript',
  vue: 'xml',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
  zsh: 'bash',
};

/** Names of files, and the names that people write at the fence of a code block. */
const BY_NAME: Readonly<Record<string, string>> = {
  console: 'bash',
  csharp: 'csharp',
  docker: 'dockerfile',
  dockerfile: 'dockerfile',
  javascript: 'typescript',
  kotlin: 'kotlin',
  makefile: 'makefile',
  python: 'python',
  ruby: 'ruby',
  rust: 'rust',
  shell: 'bash',
  typescript: 'typescript',
  diff: 'diff',
  'c++': 'cpp',
  golang: 'go',
};

export function languageOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const extension = name.slice(name.lastIndexOf('.') + 1);
  return ownValue(BY_NAME, name) ?? ownValue(BY_EXTENSION, extension) ?? null;
}
