/** What a terminal obeys in place of showing it, and what turns the order of letters around. */
const obeyed = /[\p{Cc}\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * One line for a terminal. A shoot chooses the names of its nodes, and a journal may come from anybody: what a terminal would obey is written as
 * JSON writes it (`\u001b`), so a line of JSON stays one.
 */
export function terminalLine(text: string): string {
  return text.replaceAll(obeyed, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
