import type { Dispatcher } from 'undici';

/**
 * Returns a dispatcher that calls `look` in the very moment before a request is written to its connection. Where `look` throws, the
 * request is not sent. A connection may take seconds to open, or the process may have stood still, so the result of an earlier
 * look might not be true any more.
 */
export function lookBeforeSending(dispatcher: Dispatcher, look: () => void): Dispatcher {
  return dispatcher.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart: (controller, context) => {
          look();
          handler.onRequestStart?.(controller, context);
        },
        onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
        onResponseStart: (...args) => handler.onResponseStart?.(...args),
        onResponseData: (...args) => handler.onResponseData?.(...args),
        onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
        onResponseError: (...args) => handler.onResponseError?.(...args),
      }),
  );
}
