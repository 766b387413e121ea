import { useEffect, useState } from 'preact/hooks';

/** The custom properties of base.css that a canvas uses. */
export type Ink =
  | 'ground'
  | 'paper'
  | 'raised'
  | 'line'
  | 'edge'
  | 'ink'
  | 'quiet'
  | `${'accent' | 'cut-off' | 'down' | 'refused'}${'' | '-ground'}`;

/** What each comes to, as a canvas takes it. */
export type Palette = (ink: Ink) => string;

/** Of themselves custom properties say both what they are in the light and in the dark: an element that has the colour tells which one it is. */
export function readPalette(probe: HTMLElement): Palette {
  const known = new Map<Ink, string>();
  return (ink) => {
    let colour = known.get(ink);
    if (colour !== undefined) return colour;
    probe.style.setProperty('color', `var(--${ink})`);
    colour = getComputedStyle(probe).color;
    known.set(ink, colour);
    return colour;
  };
}

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
