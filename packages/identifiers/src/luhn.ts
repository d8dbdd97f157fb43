/** Whether the last digit is the check digit of the others by Luhn's formula (ISO/IEC 7812-1, annex B). Takes digits alone. */
export function hasLuhnDigit(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .toReversed()
    .reduce((total, digit, index) => {
      const counted = index % 2 === 1 ? digit * 2 : digit;
      return total + (counted > 9 ? counted - 9 : counted);
    }, 0);
  return sum % 10 === 0;
}
