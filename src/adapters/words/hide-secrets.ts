const hidden = '[hidden]';

/**
 * What a credential looks like in running text: a JWT, a PEM block, the base64 of one, a bearer or basic header, a
 * password in a URL. It is matched within a line of JSON too, where a line break is the two characters `\n`.
 */
const secretShapes: readonly (readonly [RegExp, string])[] = [
  // Tried only where a word begins that a point follows: else `eyJeyJ…` in a hostile shoot's names costs its length squared.
  [/(?<![\w-])(?=[\w-]+\.[\w-])([\w-]*?)eyJ[\w-]{6,}\.[\w-]+(?:\.[\w-]*)?/g, `$1${hidden}`],
  [/-----BEGIN [A-Z0-9 ]+-----.*?(?:-----END [A-Z0-9 ]+-----|(?=")|$)/gs, hidden],
  [/LS0tLS1CRUdJTi[A-Za-z0-9+/=_-]*/g, hidden],
  [/\b(bearer|basic)( +|%20)[\w.~+/=-]{16,}/gi, `$1$2${hidden}`],
  [/(https?:\/\/)[^\s/@"\\]+@/g, `$1${hidden}@`],
];

/** One quick look that lets nearly every text pass untouched. */
const suspicious = /eyJ|-----BEGIN|LS0tLS1CRUdJTi|bearer|basic|https?:\/\/[^\s/@"\\]+@/i;

/**
 * Blots out whatever looks like a credential (SPEC 9.4). The place where secrets are kept out is the adapter that
 * meets them: no event carries one. This is the second wall, for the free texts of other people's servers
 * (a failure's detail, an annotation) on their way into logs, journal and Kubernetes events.
 */
export function hideSecrets(text: string): string {
  if (!suspicious.test(text)) return text;
  return secretShapes.reduce((cleaner, [shape, instead]) => cleaner.replace(shape, instead), text);
}
