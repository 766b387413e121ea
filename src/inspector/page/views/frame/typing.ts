/** Whether a key belongs to what has the focus: a field that is typed into, a dialog that is open, a link that is entered. Then it is no key of the page. */
export function isTyping({ target, key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  if (key === 'Enter' && target instanceof Element && target.closest('a, button, summary') !== null) return true;
  if (ctrlKey || altKey || metaKey || document.querySelector('dialog[open]') !== null) return true;
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}
