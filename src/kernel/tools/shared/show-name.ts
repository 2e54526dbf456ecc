const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * A file name as one safe line. A name with control characters is quoted, so that it cannot look like two names or
 * control a terminal.
 */
export function showName(name: string): string {
  return CONTROL.test(name) ? JSON.stringify(name).replace(/[\u007f-\u009f]/g, escapeUnit) : name;
}

function escapeUnit(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
