/** Milliseconds that a server may keep silent: before it answers, and in the midst of an answer. */
export type Patience = Readonly<{ answer: number; more: number }>;

/** Rejects with a sentence that names the URL where nobody answers, the answer is no 200, or it does not go on. */
export async function download(url: string, patience: Patience): Promise<Buffer> {
  const impatience = new AbortController();
  const giveUp = () => impatience.abort(new Error(`${url} keeps silent`));
  let timer = setTimeout(giveUp, patience.answer);
  const goesOn = () => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, patience.more);
  };
  const chunks: Uint8Array[] = [];
  try {
    const { ok, status, body } = await fetch(url, { signal: impatience.signal });
    if (!ok) throw new Error(`${url} answers ${status}`);
    goesOn();
    for await (const chunk of body ?? []) {
      goesOn();
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    // What fetch says names neither the URL nor, but in its cause, what happened.
    if (error instanceof TypeError) throw new Error(`${url} cannot be reached`, { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
    // Whoever is given up, or answers with a long refusal, is not listened to any more.
    impatience.abort();
  }
}
