// The scripts of every page in one file, so that a browser asks once and has it for the next page. Each looks for its own elements.
import './address.js';
import './forms.js';
import './browser.js';
import './countdown.js';
import './copy.js';
import './local-times.js';
import './leave.js';
import './height.js';
