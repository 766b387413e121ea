/** How many milliseconds a server may be silent, before and during an answer. */
export type Patience = Readonly<{ answer: number; more: number }>;

/** Rejects with a sentence that names the URL if nobody answers, if the answer is not 200, or if it stops. */
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
    // fetch's own message names neither the URL nor what happened, which is only in its cause.
    if (error instanceof TypeError) throw new Error(`${url} cannot be reached`, { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
    // We do not read on from a server that we gave up on, or that sends a long refusal.
    impatience.abort();
  }
}
