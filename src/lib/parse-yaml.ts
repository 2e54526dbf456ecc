import { load } from 'js-yaml';

/**
 * The value of one YAML document of the core schema; undefined for a text that is none, has tags of its own or is nested too deeply. Says nothing by itself:
 * a text of somebody else may hold sequences for the terminal. Pure.
 */
export function parseYaml(text: string): unknown {
  try {
    return load(text);
  } catch {
    return undefined;
  }
}
