// Offers the states of the chosen country, and asks for none where its addresses have none.

/** @param {HTMLSelectElement} states */
function follow(states) {
  const country = states.form?.elements.namedItem('billing_address.country');
  const groups = [...states.querySelectorAll('optgroup')];
  const field = states.closest('.field');
  if (!(country instanceof HTMLSelectElement) || !(field instanceof HTMLElement)) return;
  const change = () => {
    const chosen = groups.find((group) => group.dataset['country'] === country.value);
    const { value } = states;
    const isKept = chosen?.querySelector('option:checked') != null;
    for (const group of groups) group.remove();
    if (chosen !== undefined) states.append(chosen);
    states.value = isKept ? value : '';
    states.required = chosen !== undefined;
    for (const note of field.querySelectorAll('.optional')) note.remove();
    field.hidden = chosen === undefined;
  };
  country.addEventListener('change', change);
  country.addEventListener('input', change);
  change();
}

for (const states of document.querySelectorAll('select'))
  if (states.querySelector('optgroup[data-country]') !== null) follow(states);
