/** A listener for the parts of a program's output that calls `onLine` with each line once it is whole. */
export function eachLine(onLine: (line: string) => void): (part: Buffer) => void {
  let rest = '';
  return (part) => {
    const lines = (rest + part.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(Buffer.from(line, 'latin1').toString('utf8'));
  };
}
