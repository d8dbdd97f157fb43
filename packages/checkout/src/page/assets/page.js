// The scripts of every page in one file, so that a browser asks once and has it for the next page. Each looks for its own elements.
// A script that fails stops those after it, so sending a form and going on come first.
import './forms.js';
import './browser.js';
import './leave.js';
import './address.js';
import './countdown.js';
import './copy.js';
import './local-times.js';
import './height.js';
