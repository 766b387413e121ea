/** What an operator's terminal shows without breaking lines itself. */
const terminalWidth = 100;

/** Breaks a text between words, so that no line is longer than the terminal; each line after the first is indented. */
export function wrap(text: string, indent = 0, firstIndent = indent): string {
  const lines: string[] = [];
  let line = ' '.repeat(firstIndent);
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > terminalWidth) {
      lines.push(line);
      line = ' '.repeat(indent);
      empty = true;
    }
    line += (empty ? '' : ' ') + word;
    empty = false;
  }
  return [...lines, line].join('\n');
}
