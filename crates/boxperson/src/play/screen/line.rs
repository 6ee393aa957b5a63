//! The line to type on: text, cursor and history.

/// A line that is being typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TalkLine {
    text: String,
    /// Byte position of the cursor.
    cursor: usize,
    said: Vec<String>,
    /// Steps back in the history; 0 is the line itself.
    back: usize,
}

impl TalkLine {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Returns the column of the cursor, in characters.
    pub(crate) fn column(&self) -> usize {
        self.text.get(..self.cursor).map_or(0, |before| before.chars().count())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Inserts a character at the cursor.
    pub(crate) fn put(&mut self, character: char) {
        self.text.insert(self.cursor, character);
        self.cursor += character.len_utf8();
    }

    /// Deletes the character before the cursor.
    pub(crate) fn rub_out(&mut self) {
        if let Some(before) = self.before() {
            self.text.remove(before);
            self.cursor = before;
        }
    }

    /// Deletes the character after the cursor.
    pub(crate) fn delete(&mut self) {
        if self.cursor < self.text.len() {
            self.text.remove(self.cursor);
        }
    }

    /// Deletes the whole line.
    pub(crate) fn clear(&mut self) {
        self.set(String::new());
    }

    /// Moves the cursor one character to the left.
    pub(crate) fn left(&mut self) {
        self.cursor = self.before().unwrap_or(0);
    }

    /// Moves the cursor one character to the right.
    pub(crate) fn right(&mut self) {
        let next = self.text.get(self.cursor..).and_then(|rest| rest.chars().next());
        self.cursor += next.map_or(0, char::len_utf8);
    }

    /// Moves the cursor to the start.
    pub(crate) fn home(&mut self) {
        self.cursor = 0;
    }

    /// Moves the cursor to the end.
    pub(crate) fn end(&mut self) {
        self.cursor = self.text.len();
    }

    /// Goes one line back in the history.
    pub(crate) fn older(&mut self) {
        self.recall(self.back + 1);
    }

    /// Goes one line forward in the history.
    pub(crate) fn newer(&mut self) {
        match self.back {
            0 => {}
            1 => {
                self.back = 0;
                self.set(String::new());
            }
            back => self.recall(back - 1),
        }
    }

    /// Takes the line, clears it and adds it to the history.
    pub(crate) fn say(&mut self) -> String {
        let line = std::mem::take(&mut self.text);
        self.cursor = 0;
        self.back = 0;
        if !line.trim().is_empty() && self.said.last() != Some(&line) {
            self.said.push(line.clone());
        }
        line
    }

    fn recall(&mut self, back: usize) {
        let found = self.said.len().checked_sub(back).and_then(|at| self.said.get(at)).cloned();
        if let Some(line) = found {
            self.back = back;
            self.set(line);
        }
    }

    fn set(&mut self, text: String) {
        self.cursor = text.len();
        self.text = text;
    }

    fn before(&self) -> Option<usize> {
        self.text.get(..self.cursor)?.char_indices().next_back().map(|(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> TalkLine {
        let mut line = TalkLine::default();
        text.chars().for_each(|character| line.put(character));
        line
    }

    #[test]
    fn letters_of_any_length_are_typed_and_rubbed_out_where_the_cursor_is() {
        let mut line = typed("yö 2");
        line.home();
        line.right();
        line.right();
        line.rub_out();
        line.put('o');
        assert_eq!((line.text(), line.column()), ("yo 2", 2));
        line.delete();
        line.end();
        line.left();
        line.put('1');
        assert_eq!(line.text(), "yo12");
    }

    #[test]
    fn what_was_said_comes_back_and_goes_again() {
        let mut line = typed("pass 10");
        line.say();
        "roll".chars().for_each(|character| line.put(character));
        line.say();
        line.older();
        line.older();
        line.older();
        assert_eq!(line.text(), "pass 10");
        line.newer();
        assert_eq!(line.text(), "roll");
        line.newer();
        assert!(line.is_empty());
    }
}
