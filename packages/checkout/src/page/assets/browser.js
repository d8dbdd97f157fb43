// Says what the payer's browser is like, for 3-D Secure (EMV 3-D Secure 2, browser fields), beside what its headers say.

const browser = JSON.stringify({
  language: navigator.language,
  javaEnabled: navigator.javaEnabled(),
  colorDepth: screen.colorDepth,
  screenHeight: screen.height,
  screenWidth: screen.width,
  timeZoneOffset: new Date().getTimezoneOffset(),
  platform: navigator.platform,
});

for (const input of document.querySelectorAll('input[name="browser"]'))
  if (input instanceof HTMLInputElement) input.value = browser;
