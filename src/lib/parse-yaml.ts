import { load } from 'js-yaml';

/**
 * The value of one YAML document of the core schema; undefined if the text is invalid, has custom tags or is nested too deeply. It returns no error
 * message, because the text may contain control sequences for the terminal. Pure.
 */
export function parseYaml(text: string): unknown {
  try {
    return load(text);
  } catch {
    return undefined;
  }
}
