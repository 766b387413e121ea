import { useEffect, useState } from 'preact/hooks';

/** Changes with what the colours of base.css come to: the reader's choice in the header, or that of the system. */
export function useDarkness(): string {
  const [darkness, setDarkness] = useState(readDarkness);
  useEffect(() => {
    const heard = () => setDarkness(readDarkness());
    const media = matchMedia('(prefers-color-scheme: dark)');
    const observer = new MutationObserver(heard);
    media.addEventListener('change', heard);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    heard();
    return () => {
      media.removeEventListener('change', heard);
      observer.disconnect();
    };
  }, []);
  return darkness;
}

function readDarkness(): string {
  const { matches } = matchMedia('(prefers-color-scheme: dark)');
  return `${document.documentElement.dataset['theme'] ?? ''} ${matches}`;
}
