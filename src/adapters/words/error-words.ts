/** What a caught value says; a thrown text, or anything else that is no Error, as it is. */
export function errorWords(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
