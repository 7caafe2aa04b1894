//! Characters that look like ASCII, and the ASCII that they look like. Data only.

/// A range of characters, its first and last, and what they look like in their order. The letters start over where the
/// range is longer; [`NOTHING`] stands where a character looks like nothing in ASCII.
pub(crate) type Block = (u32, u32, &'static str);

/// Marks a character that has no twin.
pub(crate) const NOTHING: u8 = b'~';

const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CAPITALS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const GREEK: &str = "AB~~EZHOIK~MN~O~PO~TY~X~~~aby~e~nOik~~v~~~pcotu~x~w~eOk~pw";

/// In the order of the characters. What a canonical or compatibility decomposition of Unicode ends in is there, and
/// letters of other scripts that Unicode Technical Standard 39 lists as confusable with one ASCII letter.
pub(crate) const BLOCKS: &[Block] = &[
    (0x0085, 0x0085, "\n"),
    (0x00A0, 0x00F9, " ~~~~~~~~~a\"~~~~~~23~~~~~1o\"~~~~AAAAAA~CEEEEIIII~NOOOOO~OUUUUY~~aaaaaa~ceeeeiiii~nooooo~ou"),
    (0x00FA, 0x0151, "uuuy~yAaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIi~~JjKk~LlLlLl~~LlNnNnNn~~~OoOoOo"),
    (0x0154, 0x01A1, "RrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs~~~~~b~~~~~~~~~~~~f~~~II~~~~~~~~Oo"),
    (0x01AF, 0x0208, "Uu~~~~~~~~~~~5s~~l~~~~~~~~~~~~AaIiOoUuUuUuUuUu~AaAa~~~~GgKkOoOo~~j~~~Gg~~NnAa~~OoAaAaEeEeI"),
    (0x0209, 0x0237, "iIiOoOoRrRrUuUuSsTt~~Hh~~~~~~AaEeOoOoOoOoYy~~~j"),
    (0x0251, 0x029F, "a~b~~dd~~~e~~~~ggg~~~h~iiil~l~~~mnnno~~~~~~rr~~r~s~~~~~tu~v~~~yz~~~~~~~~b~~h~~l"),
    (0x02B0, 0x02B8, "hhjr~~~wy"),
    (0x02D0, 0x02D0, ":"),
    (0x02E1, 0x02E3, "lsx"),
    (0x037E, 0x03D4, ";J~~~~~~A~EHI~O~Y~iAB~~EZH~IK~MN~O~P~~TY~X~~IYaeniuaby~e~n~ik~~v~o~pcotu~x~wiuouw~b~YYY"),
    (0x03F0, 0x0445, "kpcj~e~~~CM~~~~~EE~rESIIJ~~~K~Y~A~Br~E~3~~K~MHO~PCTY~X~~~~~~b~~~a6br~e~3uuk~mhonpcty~x"),
    (0x044C, 0x0461, "b~~~ee~resiij~~~kuy~~w"),
    (0x0474, 0x0477, "VvVv"),
    (0x0491, 0x049B, "r~~~~~~~~~k"),
    (0x04AE, 0x0501, "Yy~~~x~~~~~~Hh~e~~I~~~~~~~~~~~~~~lAaAa~~Ee~~~~~~33~~~u~uOo~~~~~~YyYyYy~~~~~~~~~x~~dd"),
    (0x050C, 0x051D, "Gg~~~~~~~~~~~~QqWw"),
    (0x053C, 0x053C, "L"),
    (0x054D, 0x0585, "U~S~~~~~O~~~~~~~~~~~~~q~~q~~~~~~~~~h~~~~j~~n~~~~u~~~g~~po"),
    (0x13A0, 0x13F4, "DRT~~~~~~~AJE~~~~~~W~~~M~~~H~Y~~G~hZ~~~~~~~~~~4~~~S~W~~~~VS~~~LC~~P~~~Kd~~~O~~~B~~~~B"),
    (0x1680, 0x1680, " "),
    (0x1D00, 0x1D58, "a~~~cd~e~~jk~m~o~~~~~~~~p~~tu~~~vwz~~~~~~~~~A~B~DE~GHIJKLMN~O~PRTUWa~a~bde~e~g~km~o~~~ptu"),
    (0x1D5B, 0x1D78, "v~by~~xiruvbyp~x~~~~~~~~~~~~~h"),
    (0x1D9C, 0x1DBC, "c~~~f~g~iii~~l~lm~nnno~s~~u~uv~zz"),
    (0x1E00, 0x1E59, "AaBbBbBbCcDdDdDdDdDdEeEeEeEeEeFfGgHhHhHhHhHhIiIiKkKkKkLlLlLlLlMmMmMmNnNnNnNnOoOoOoOoPpPpRr"),
    (0x1E5A, 0x1EB3, "RrRrRrSsSsSsSsSsTtTtTtTtUuUuUuUuUuVvVvWwWwWwWwWwXxXxYyZzZzZzhtwy~s~~~~AaAaAaAaAaAaAaAaAaAa"),
    (0x1EB4, 0x1F0D, "AaAaEeEeEeEeEeEeEeEeIiIiOoOoOoOoOoOoOoOoOoOoOoOoUuUuUuUuUuUuUuYyYyYyYy~~~~~~aaaaaaaaAAAAAA"),
    (0x1F0E, 0x1F67, "AAeeeeee~~EEEEEE~~nnnnnnnnHHHHHHHHiiiiiiiiIIIIIIIIoooooo~~OOOOOO~~uuuuuuuu~Y~Y~Y~Ywwwwwwww"),
    (0x1F70, 0x1FC9, "aaeenniioouuww~~aaaaaaaaAAAAAAAAnnnnnnnnHHHHHHHHwwwwwwww~~~~~~~~aaaaa~aaAAAAA~i~~~nnn~nnEE"),
    (0x1FCA, 0x201F, "HHH~~~iiii~~iiIIII~~~~uuuuppuuYYYYP~~`~~www~wwOO~~~~~~           ~~~~~------~_''''\"\"\"\""),
    (0x2024, 0x2044, ".~~~\n\n~~~~~ ~~'\"~~~~~<>~~~-~~~~-/"),
    (0x205F, 0x205F, " "),
    (0x2070, 0x209C, "0i~~456789+~=()n0123456789+~=()~aeox~hklmnpst"),
    (0x2102, 0x2149, "C~~~~~~~gHHHhhIILl~N~~~PQRRR~~~~~~Z~~~Z~KABCeeEF~Mo~~~~i~~~y~~~~~~~Ddeij"),
    (0x2160, 0x217F, "I~~~V~~~~X~~LCDMi~~~v~~~~x~~lcdm"),
    (0x2212, 0x2223, "-~~/~~~~~~~~~~~~~|"),
    (0x2236, 0x2236, ":"),
    (0x2260, 0x226F, "=~~~~~~~~~~~~~<>"),
    (0x2460, 0x24B5, "123456789~~~~~~~~~~~123456789~~~~~~~~~~~123456789~~~~~~~~~~~abcdefghijklmnopqrstuvwxyz"),
    (0x24B6, 0x24E9, LETTERS),
    (0x24EA, 0x24EA, "0"),
    (0x2500, 0x2502, "--|"),
    (0x27E8, 0x27E9, "<>"),
    (0x29F8, 0x29F8, "/"),
    (0x2C65, 0x2C65, "a"),
    (0x2C7C, 0x2C7D, "jV"),
    (0x2E3A, 0x2E3B, "--"),
    (0x3000, 0x3015, " ~~~~~~~<>~~~~~~[]~~[]"),
    (0xA4D0, 0xA4F4, "BPdDT~GK~JC~ZFFMNLSRRVVHGJWXY~AAE~IOU"),
    (0xA69D, 0xA69D, "b"),
    (0xA7F2, 0xA7F8, "CFQ~~~H"),
    (0xAB5E, 0xAB5E, "l"),
    (0xFB29, 0xFB29, "+"),
    (0xFE10, 0xFE16, ",~~:;!?"),
    (0xFE33, 0xFE6B, "__(){}~~~~~~~~~~~~~~[]~~~~___,~.~;:?!-(){}~~#&*+-<>=~\\$%@"),
    (0xFF01, 0xFF5D, "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}"),
    (0x10784, 0x107B6, "bb~~~~~dd~~~~~gg~hh~~~~~~~~~~~o~~q~~r~r~~~~t~~y~~~l"),
    (0x1D400, 0x1D6A3, LETTERS),
    (0x1D6A4, 0x1D6A5, "ij"),
    (0x1D6A8, 0x1D7C9, GREEK),
    (0x1D7CE, 0x1D7FF, "0123456789"),
    (0x1F110, 0x1F12C, "ABCDEFGHIJKLMNOPQRSTUVWXYZ~CR"),
    (0x1F130, 0x1F149, CAPITALS),
    (0x1F150, 0x1F169, CAPITALS),
    (0x1F170, 0x1F189, CAPITALS),
    (0x1FBF0, 0x1FBF9, "0123456789"),
];
