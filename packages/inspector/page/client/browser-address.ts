import { useEffect, useState } from 'preact/hooks';
import { readAddress, type Address } from './address.ts';

/** `renew` changes the address without a step in the browser's history, and so without a mark for each letter of a filter. */
const renewed = 'inspector-renewed';

/** What the address names, now and after each change of it. */
export function useAddress(): Address {
  const [hash, setHash] = useState(() => location.hash);
  useEffect(() => {
    const heard = () => setHash(location.hash);
    addEventListener('hashchange', heard);
    addEventListener(renewed, heard);
    return () => {
      removeEventListener('hashchange', heard);
      removeEventListener(renewed, heard);
    };
  }, []);
  const [address, setAddress] = useState(() => ({ hash, named: readAddress(hash) }));
  if (address.hash === hash) return address.named;
  const next = { hash, named: readAddress(hash) };
  setAddress(next);
  return next.named;
}

/** Goes to an address, as a link does. */
export function goTo(link: string): void {
  location.hash = link;
}

/** Says in the address what is shown now, in the place of what it said. */
export function renewAddress(link: string): void {
  if (location.hash === link) return;
  history.replaceState(history.state, '', link);
  dispatchEvent(new Event(renewed));
}
