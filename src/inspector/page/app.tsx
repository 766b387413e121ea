import { useEffect, useState } from 'preact/hooks';
import { MachinePage } from './machine/machine-page.tsx';

/** The whole page: the frame, and the view that the address names. */
export function App() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const heard = () => setHash(location.hash);
    addEventListener('hashchange', heard);
    return () => removeEventListener('hashchange', heard);
  }, []);
  const [, kind, subject = ''] = /^#\/(shoots|services)\/([^?]+)/.exec(hash) ?? [];
  if (kind === undefined) return <p>Nothing is chosen.</p>;
  return <MachinePage kind={kind === 'shoots' ? 'shoot' : 'weeder'} subject={subject} />;
}
