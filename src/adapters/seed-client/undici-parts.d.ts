/** The parts of undici that are imported one by one have no types of their own. */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}

declare module 'undici/lib/api/index.js' {
  import type { Dispatcher } from 'undici';
  const methods: Pick<Dispatcher, 'request'>;
  export default methods;
}

declare module 'undici/lib/dispatcher/dispatcher.js' {
  import { Dispatcher } from 'undici';
  export default Dispatcher;
}
