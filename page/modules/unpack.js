// Bytes that the page holds as text: base64 of gzip.

/**
 * The bytes within the element of this id.
 * @param {string} id
 */
export async function unpacked(id) {
  const text = document.getElementById(id)?.textContent ?? "";
  const packed = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
