import type { Millis } from 'dependency-watchdog/domain/time.ts';

/** Who hears nothing more for so long hears nothing: a busy machine may take seconds for an answer, and a slow port-forward minutes to carry one. */
const patience: Millis = 30_000;

type Answer = Readonly<{ ok: boolean; status: number; said: string }>;

/** Asks by HTTP, and waits as long as more of the answer comes. `wait`: calls after so long; what it returns cancels that. Rejects where nothing answers. */
export async function askPatiently(
  path: string,
  wait: (millis: Millis, call: () => void) => () => void,
): Promise<Answer> {
  const patient = new AbortController();
  const giveUp = () => patient.abort();
  let cancel = wait(patience, giveUp);
  const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, to) {
      cancel();
      cancel = wait(patience, giveUp);
      to.enqueue(piece);
    },
  });
  try {
    const { ok, status, body } = await fetch(path, { signal: patient.signal, cache: 'no-store' });
    return { ok, status, said: await new Response(body?.pipeThrough(heard)).text() };
  } finally {
    cancel();
  }
}
