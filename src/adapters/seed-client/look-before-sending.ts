import type { Dispatcher } from 'undici';

/**
 * The dispatcher, which calls `look` in the very moment before a request is written to its connection; what `look`
 * throws ends the request unsent. A connection may take seconds to come up, or the process may have stood still: no earlier look
 * could promise that what held then still holds.
 */
export function lookBeforeSending(dispatcher: Dispatcher, look: () => void): Dispatcher {
  return dispatcher.compose(
    (dispatch) => (options, handler) =>
      dispatch(options, {
        onRequestStart: (controller, context) => {
          look();
          handler.onRequestStart?.(controller, context);
        },
        onRequestUpgrade: (...told) => handler.onRequestUpgrade?.(...told),
        onResponseStart: (...told) => handler.onResponseStart?.(...told),
        onResponseData: (...told) => handler.onResponseData?.(...told),
        onResponseEnd: (...told) => handler.onResponseEnd?.(...told),
        onResponseError: (...told) => handler.onResponseError?.(...told),
      }),
  );
}
