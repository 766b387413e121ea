/** Whether a key belongs to what has the focus: a field that is typed into, or a dialog that is open. Then it is no key of the page. */
export function isTyping({ target, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  if (ctrlKey || altKey || metaKey || document.querySelector('dialog[open]') !== null) return true;
  return (
    target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}
