const hidden = '[hidden]';

/** What a credential looks like in running text: a JWT, a PEM block, the base64 of one, a bearer or basic header, a password in a URL. */
const secretShapes: readonly (readonly [RegExp, string])[] = [
  // The greedy ones come first, or another would take their beginning and leave the rest.
  // A block without an end hides all that follows: it may be the rest of a key.
  [/-----BEGIN [A-Z0-9 ]+-----.*?(?:-----END [A-Z0-9 ]+-----|$)/gs, hidden],
  [/LS0tLS1CRUdJTi[\w.~+/=-]*/g, hidden],
  // Tried only where a word begins that a point follows: else `eyJeyJ…` in a hostile shoot's names costs its length squared.
  [/(?<![\w-])(?=[\w-]+\.[\w-])([\w-]*?)eyJ[\w-]{6,}\.[\w-]+(?:\.[\w-]*)*/g, `$1${hidden}`],
  [/\b(bearer|basic)( +|%20)[\w.~+/=-]{16,}/gi, `$1$2${hidden}`],
  [/(https?:\/\/)[^\s/@]+@/gi, `$1${hidden}@`],
];

/**
 * Quick looks that let nearly every text pass untouched; no shape begins without one of them. Each by itself is searched for in strides as long as it is. As
 * alternatives of one expression they would be tried at every character, which takes twice as long.
 */
const suspicions: readonly RegExp[] = [
  /eyJ/i,
  /-----BEGIN /i,
  /LS0tLS1CRUdJTi/i,
  /(?:bearer|basic)(?: |%20)/i,
  /https?:\/\/[^\s/@]+@/i,
];

function isSuspicious(text: string): boolean {
  return suspicions.some((suspicion) => suspicion.test(text));
}

/**
 * Blots out whatever looks like a credential (SPEC 9.4). The place where secrets are kept out is the adapter that
 * meets them: no event carries one. This is the second wall, for the free texts of other people's servers
 * (a failure's detail, an annotation) on their way into logs, journal and Kubernetes events.
 * Only for a text itself: what is JSON would be torn by it (`hideSecretsInJson`).
 */
export function hideSecrets(text: string): string {
  if (!isSuspicious(text)) return text;
  return secretShapes.reduce((cleaner, [shape, instead]) => cleaner.replace(shape, instead), text);
}

/**
 * The same for a text of JSON, which stays one: within each of its texts and names of fields. Escapes (`\"`, `\n`) take no
 * letter from what makes a text suspicious, so the quick look is right for all of them at once.
 */
export function hideSecretsInJson(json: string): string {
  return isSuspicious(json) ? JSON.stringify(cleaned(JSON.parse(json))) : json;
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return hideSecrets(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cleaned);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [hideSecrets(name), cleaned(inner)]));
}

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
