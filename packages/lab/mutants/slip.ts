/** A single mistake that somebody could make in a file of `src` or `hack`, and the tests that ought to see it. */
export type Slip = Readonly<{
  file: string;
  /** Stands exactly once in the file. */
  find: string;
  put: string;
  /** What it breaks, in words. */
  says: string;
  /** Files or folders below the checkout; run until the first failure. */
  tests: readonly string[];
  /** Why no test can see it, or none should. */
  explained?: string;
}>;

/** The file's text with the slip in it. Throws where the slip fits in no place, or in more than one. */
export function slipped(text: string, { file, find, put }: Pick<Slip, 'file' | 'find' | 'put'>): string {
  const at = text.indexOf(find);
  const problem = at === -1 ? 'does not stand' : text.includes(find, at + 1) ? 'stands more than once' : undefined;
  if (problem !== undefined) throw new Error(`${JSON.stringify(find)} ${problem} in ${file}`);
  return text.slice(0, at) + put + text.slice(at + find.length);
}
