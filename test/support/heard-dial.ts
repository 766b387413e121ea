import type { Dispatcher } from 'undici';
import { undiciPool, type Dial } from '../../src/adapters/seed-client/undici-pool.ts';

type Exchange = Readonly<{
  /** It is written to a connection. */
  sent?: () => void;
  /** The whole answer is there. */
  answered?: (status: number, text: string) => void;
}>;

/** Connections over TLS, on which each request is heard. */
export function heardDial(hear: (request: Dispatcher.DispatchOptions) => Exchange): Dial {
  return (origin, options) =>
    undiciPool(origin, options).compose((dispatch) => (request, handler) => {
      const { sent, answered } = hear(request);
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
        },
        onResponseData: (...args) => {
          text += args[1].toString();
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
