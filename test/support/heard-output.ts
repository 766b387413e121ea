import type { Output } from '../../src/adapters/output/bounded-lines.ts';
import type { Dispatcher } from 'undici';
import { undiciPool, type Dial } from '../../src/adapters/seed-client/undici-pool.ts';

/** An output that tells each line, with its break, as it takes it. It can stand still, as one that nobody reads. */
export class HeardOutput implements Output {
  readonly #hear: (line: string) => void;
  #stands = false;
  /** Takes what was offered meanwhile, or fails. */
  #held: ((code?: string) => void) | undefined;

  constructor(hear: (line: string) => void) {
    this.#hear = hear;
  }

  write(bytes: Buffer, taken: (error: Error | null, written: number) => void): void {
    const take = (code?: string): void => {
      if (code !== undefined) {
        taken(Object.assign(new Error(code), { code }), 0);
        return;
      }
      for (const line of bytes.toString().match(/.*\n/g) ?? []) this.#hear(line);
      queueMicrotask(() => taken(null, bytes.length));
    };
    if (this.#stands) this.#held = take;
    else take();
  }

  /** It takes nothing from now on. */
  stand(): void {
    this.#stands = true;
  }

  /** What it was offered fails. */
  fail(code: string): void {
    this.#held?.(code);
    this.#held = undefined;
  }

  /** It takes what it was offered meanwhile, and what comes. */
  go(): void {
    this.#stands = false;
    this.#held?.();
    this.#held = undefined;
  }
}

type Exchange = Readonly<{
  /** It is written to a connection. */
  sent?: () => void;
  /** The head of the answer was taken, with what undici still holds of it. */
  began?: (controller: Dispatcher.DispatchController) => void;
  received?: (chunk: Buffer) => void;
  /** The whole answer is there. */
  answered?: (status: number, text: string) => void;
}>;

/** Connections over TLS, on which each request is heard. */
export function heardDial(hear: (request: Dispatcher.DispatchOptions) => Exchange): Dial {
  return (origin, options) =>
    undiciPool(origin, options).compose((dispatch) => (request, handler) => {
      const { sent, began, received, answered } = hear(request);
      let [status, text] = [0, ''];
      return dispatch(request, {
        onRequestStart: (...args) => {
          sent?.();
          handler.onRequestStart?.(...args);
        },
        onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
        onResponseStart: (...args) => {
          status = args[1];
          handler.onResponseStart?.(...args);
          began?.(args[0]);
        },
        onResponseData: (...args) => {
          text += args[1].toString();
          received?.(args[1]);
          handler.onResponseData?.(...args);
        },
        onResponseEnd: (...args) => {
          answered?.(status, text);
          handler.onResponseEnd?.(...args);
        },
        onResponseError: (...args) => handler.onResponseError?.(...args),
      });
    });
}
