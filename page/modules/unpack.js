// Bytes that the page holds as text: base64 of gzip.

/**
 * The bytes within the element of this id.
 * @param {string} id
 */
export async function unpacked(id) {
  const text = document.getElementById(id)?.textContent ?? "";
  const stream = new Blob([bytesOf(text.trim())]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/**
 * The bytes of base64. An older browser takes longer.
 * @param {string} text
 */
function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let index = 0; index < letters.length; index += 1) bytes[index] = letters.charCodeAt(index);
  return bytes;
}
