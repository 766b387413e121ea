import { hideSecrets } from './hide-secrets.ts';

/** Of what a server says in its own words. */
const longestExcerpt = 160;

/** Shorter pieces of a token give nobody anything, and might be a word of the sentence. */
const shortestPiece = 8;

/**
 * One short line of a text that a server chose (an error's message, a Status): no control characters, no secret, `token`
 * neither whole nor in pieces, since a server may send back what it was sent (SPEC 9.4).
 */
export function operatorLine(text: string, token = ''): string {
  // Cut first, with room for what cleaning takes away: the text may be long.
  const plain = text
    .slice(0, 8 * longestExcerpt)
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim();
  const masked = hideSecrets(plain).replace(/[^\s"'`:,;()[\]{}<>=]+/g, (word) =>
    word.length >= shortestPiece && token.includes(word) ? '[hidden]' : word,
  );
  return masked.length <= longestExcerpt ? masked : `${masked.slice(0, longestExcerpt)}…`;
}
