import { useEffect, useState } from 'preact/hooks';
import { after } from '../browser-clock.ts';

/** For so long the button says what came of it. */
const saidFor = 2_000;

/** Copies `text` to the clipboard. `what` completes "Copy …", for a screen reader. */
export function CopyButton(props: Readonly<{ text: string | (() => string); what: string; label?: string }>) {
  const { text, what, label = 'Copy' } = props;
  const [said, setSaid] = useState<'copied' | 'not copied' | undefined>();
  useEffect(() => (said === undefined ? undefined : after(saidFor, () => setSaid(undefined))), [said]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      setSaid('copied');
    } catch {
      // A page that is not on this machine's own address may not write there; then the text can still be selected by hand.
      setSaid('not copied');
    }
  };
  return (
    <button type="button" class="format-copy" onClick={() => void copy()} aria-label={`${label} ${what}`}>
      {label}
      <span class="format-copied" role="status">
        {said}
      </span>
    </button>
  );
}
