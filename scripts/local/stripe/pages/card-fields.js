// Groups the digits of the card number, and puts the stroke into the expiry date, while one types.
// Without this script the forms work the same.
const number = document.getElementById('cardNumber');
const expiry = document.getElementById('cardExpiry');

/** Writes the field anew and leaves the cursor behind the digit it was behind. */
function rewrite(field, write) {
  const before = field.value.slice(0, field.selectionStart).replace(/\D/g, '').length;
  const atEnd = field.selectionStart === field.value.length;
  const written = write(field.value);
  if (written === field.value) return;
  field.value = written;
  let position = 0;
  for (let digits = 0; digits < before && position < written.length; position += 1) {
    if (/\d/.test(written[position])) digits += 1;
  }
  if (atEnd) position = written.length;
  field.setSelectionRange(position, position);
}

number?.addEventListener('input', () => {
  rewrite(number, (text) => {
    const digits = text.replace(/\D/g, '');
    const groups = /^3[47]/.test(digits)
      ? /^(\d{0,4})(\d{0,6})(\d{0,5})/
      : /^(\d{0,4})(\d{0,4})(\d{0,4})(\d{0,7})/;
    return groups
      .exec(digits)
      .slice(1)
      .filter((group) => group !== '')
      .join(' ');
  });
});

expiry?.addEventListener('input', (event) => {
  // While one deletes, a stroke that came back would be in the way.
  if (event.inputType?.startsWith('delete')) return;
  rewrite(expiry, (text) => {
    if (text.includes('/')) return text;
    const digits = text.replace(/\D/g, '').slice(0, 4);
    const month = /^[2-9]/.test(digits) ? `0${digits}` : digits;
    return month.length < 2 ? month : `${month.slice(0, 2)}/${month.slice(2, 4)}`;
  });
});
