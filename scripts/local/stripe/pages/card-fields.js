// Formats the card number and the expiry date while they are typed. The forms work without this script, too.
const number = document.getElementById('cardNumber');
const expiry = document.getElementById('cardExpiry');

/** Replaces the text of a field and keeps the cursor after the same digit. */
function reformat(field, format) {
  const before = field.value.slice(0, field.selectionStart).replace(/\D/g, '').length;
  const atEnd = field.selectionStart === field.value.length;
  const formatted = format(field.value);
  if (formatted === field.value) return;
  field.value = formatted;
  let position = 0;
  for (let digits = 0; digits < before && position < formatted.length; position += 1) {
    if (/\d/.test(formatted[position])) digits += 1;
  }
  if (atEnd) position = formatted.length;
  field.setSelectionRange(position, position);
}

number?.addEventListener('input', () => {
  reformat(number, (text) => {
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
  // Otherwise the slash would reappear as soon as it is deleted.
  if (event.inputType?.startsWith('delete')) return;
  reformat(expiry, (text) => {
    if (text.includes('/')) return text;
    const digits = text.replace(/\D/g, '').slice(0, 4);
    const month = /^[2-9]/.test(digits) ? `0${digits}` : digits;
    return month.length < 2 ? month : `${month.slice(0, 2)}/${month.slice(2, 4)}`;
  });
});
