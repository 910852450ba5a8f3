// What a reader takes along: text to the clipboard, files to the disk.

import { say } from "./element.js";

/**
 * Copies text.
 * @param {string} text
 * @param {string} what it is
 */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  say(`${what} copied`);
}

/**
 * Copies where a browser keeps its clipboard from pages on a disk.
 * @param {string} text
 */
function copyBySelection(text) {
  const active = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
  if (active instanceof HTMLElement) active.focus();
}

/**
 * Hands a file to the browser to save.
 * @param {string} name
 * @param {string} type
 * @param {BlobPart} content
 */
export function save(name, type, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  say(`${name} saved`);
}
